"""Functions of pandas that are no methods."""
