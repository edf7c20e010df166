"""Class networks: which links tell two classes apart, and how well."""

from dashboard.pages import method_page
from dashboard.views.discriminative.networks import first_picture
from dashboard.views.discriminative.result import show_result
from dashboard.views.shared.analysis_page import analysis_page

page = method_page("discriminative")
analysis_page(page, show_result, unfit=page.method.unfit, example=first_picture)
