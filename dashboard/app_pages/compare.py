"""Compare: which links differ between any two results, or between all groups of a column."""

from dashboard.views.compare.asked import asked_for
from dashboard.views.compare.page import invite, show_asked

request = asked_for()
if request is None:
    invite()
else:
    show_asked(request)
