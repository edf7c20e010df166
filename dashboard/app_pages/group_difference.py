"""Group differences: choose two groups, see which variables differ, how surely, and why."""

from dashboard.pages import method_page
from dashboard.views.group_difference.result import show_result
from dashboard.views.shared.analysis_page import analysis_page

page = method_page("group_difference")
analysis_page(page, show_result, unfit=page.method.unfit)
