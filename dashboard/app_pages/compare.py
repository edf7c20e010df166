"""Compare: which links differ between any two results, or between all groups of a column."""

from dashboard.views.compare.asked import asked_for
from dashboard.views.compare.page import invite, show_asked

asked = asked_for()
if asked is None:
    invite()
else:
    show_asked(asked)
