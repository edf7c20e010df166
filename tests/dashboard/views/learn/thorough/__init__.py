"""All lessons on screen."""
