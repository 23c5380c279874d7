"""Learning a model from labelled pages: the particle swarm of the PSO system, its decision tree, and their evaluation.

pages → cases → split → swarm or tree → model; sweeps, evaluation and plots look at what came out.
"""
