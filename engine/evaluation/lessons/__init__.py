"""Small experiments that the page of a method shows: what it tells of tables whose truth is known."""
