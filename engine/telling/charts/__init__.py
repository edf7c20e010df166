"""The frame of every chart of the engine: colours, letters, text out of a file. Plotly is loaded when called."""
