"""Group differences: choose two groups, see which variables differ, how surely, and why."""

from dashboard.pages import method_page
from dashboard.views.group_difference.result import show_result
from dashboard.views.shared.analysis_page import analysis_page

analysis_page(method_page("group_difference"), show_result)
