"""Compare: which links differ between any two results, or between all groups of a column."""

from dashboard.views.compare.page import invite, show_comparison
from dashboard.views.compare.request import requested_comparison

request = requested_comparison()
if request is None:
    invite()
else:
    show_comparison(request)
