"""Readers: archives, tables, files and addresses → records."""
