"""Parts of the page of class networks."""
