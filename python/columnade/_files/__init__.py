"""Readers and writers of files, and exports to objects of Python."""
