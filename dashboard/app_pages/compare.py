"""Compare: which links differ between any two results, or between all groups of a column."""

from dashboard.views.compare.invitation import invite, learning_groups
from dashboard.views.compare.page import show_comparison
from dashboard.views.compare.request import requested_comparison

if not learning_groups():
    request = requested_comparison()
    if request is None:
        invite()
    else:
        show_comparison(request)
