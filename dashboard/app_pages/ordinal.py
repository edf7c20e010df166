"""Ordinal networks: how ordered ratings are linked, and how sure each link is."""

from dashboard.pages import method_page
from dashboard.views.ordinal.latent import show_level_warnings
from dashboard.views.ordinal.result import show_result
from dashboard.views.shared.analysis_page import analysis_page

page = method_page("ordinal")
analysis_page(page, show_result, unfit=page.method.unfit, preview=show_level_warnings)
