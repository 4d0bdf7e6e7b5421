"""Methods of row labels and the kinds of these."""
