"""Class networks: which links tell two classes apart, and how well."""

from dashboard.pages import method_page
from dashboard.views.shared.analysis_page import analysis_page
from dashboard.views.shared.sections import show_sections

page = method_page("discriminative")
analysis_page(page, show_sections, unfit=page.method.unfit, live=True)
