"""Parts of the page of ordinal networks."""
