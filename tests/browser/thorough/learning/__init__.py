"""What is for learning and reading, in a browser: workshop, lessons, guide, notebook."""
