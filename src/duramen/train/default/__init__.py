"""Training the learned default: corpora → labels → features → lexicons → trees → network → model file."""
