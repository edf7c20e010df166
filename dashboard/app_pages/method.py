"""A method without a page of its own: settings, run, and the answer by its own sections."""

from dashboard.pages import method_page
from dashboard.session.session import session
from dashboard.views.shared.analysis_page import analysis_page
from dashboard.views.shared.sections import show_sections

page = method_page(session().place)
analysis_page(page, show_sections, unfit=page.method.unfit, live=True)
