"""What every method promises, held over the registry."""
