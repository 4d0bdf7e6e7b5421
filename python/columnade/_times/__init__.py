"""Frequencies, offsets, ranges and labels of time."""
