"""Methods of frames and series."""
