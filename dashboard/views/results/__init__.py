"""The results page: every answer as a card, any two side by side, the report, and the file that keeps all of it."""
