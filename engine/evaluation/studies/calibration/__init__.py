"""What the program's own sentences are worth: verdicts, intervals and probabilities on tables whose truth is known."""
