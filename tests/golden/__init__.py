"""What every method answered on the sample tables before the house was rebuilt, kept to the last bit."""
