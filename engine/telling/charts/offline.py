"""Plotly figures that stand in a saved notebook whole: the library once, and no request to any host."""

from __future__ import annotations

from typing import Any

RENDERER = "diptych"
"""What the way of drawing is called among those of Plotly."""


def embed_plotly() -> None:
    """Let every Plotly figure of this notebook stand in its file, so that it is drawn where no kernel runs.

    Plotly's own way loads MathJax from a content delivery network. This way puts Plotly's library (4.6 MB) into the
    output of the cell that calls it, once, and figures as a few kB each; JupyterLab and VS Code draw them as ever.

    Raises
    ------
    ValueError : IPython is not installed

    Examples
    --------
    >>> from engine.telling.charts.offline import embed_plotly
    >>> embed_plotly.__module__
    'engine.telling.charts.offline'
    """
    import plotly.io
    from plotly.io.base_renderers import NotebookRenderer

    class OfflineRenderer(NotebookRenderer):
        """As Plotly's for notebooks, without a formula engine from elsewhere."""

        def to_mimebundle(self, fig_dict: dict[str, Any]) -> dict[str, str]:
            html = plotly.io.to_html(
                fig_dict, include_plotlyjs=False, include_mathjax=False, full_html=False, validate=False
            )
            return {"text/html": html}

    plotly.io.renderers[RENDERER] = OfflineRenderer()
    plotly.io.renderers.default = f"plotly_mimetype+{RENDERER}"
