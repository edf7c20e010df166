"""Results as one self-contained HTML document; `engine.report` is its door."""
