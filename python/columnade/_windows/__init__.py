"""Windows of rows, weights and bins of time."""
