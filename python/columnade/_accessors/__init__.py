"""Functions of strings, times, durations and categories."""
