"""Lessons for a class: a question, steps with a prediction before each result, all computed anew from a seed."""
