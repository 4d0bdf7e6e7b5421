"""What functions of numpy call."""
