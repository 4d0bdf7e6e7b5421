"""Groups of rows and their methods."""
