"""The workshop: a network under one's hands, with evidence by a click, d-separation in words, and drawing."""
