"""Parts of the page of results."""
