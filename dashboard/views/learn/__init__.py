"""The page Learn: a list of lessons, a lesson step by step, and the teacher's view."""
