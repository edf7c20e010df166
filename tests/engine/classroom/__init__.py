"""Lessons: reading them, drawing them, and that what they claim is there."""
