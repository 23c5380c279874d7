"""Training the learned default: corpora → labels → features → lexicons → network → model file."""
