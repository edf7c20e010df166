"""The results page: every answer as a card, the report, and the file that keeps all of it."""
