"""Associations: which variables are linked directly, and not only by way of others."""

from dashboard.pages import method_page
from dashboard.views.log_linear.power import show_power
from dashboard.views.log_linear.result import show_result
from dashboard.views.shared.analysis_page import analysis_page

page = method_page("log_linear")
analysis_page(page, show_result, unfit=page.method.unfit, preview=show_power)
