"""The bench: every metric of the papers on any data set, beside the rivals; experiments by name, and a quality gate."""
