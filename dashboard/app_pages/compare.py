"""Compare: which links differ between any two results, or between all groups of a column."""

from dashboard.views.compare.invitation import begin_at_once, invite, learning_groups, say_guess
from dashboard.views.compare.page import show_comparison
from dashboard.views.compare.request import requested_comparison

learning = learning_groups()
request = None if learning else requested_comparison()
if request is None and not learning and begin_at_once():
    learning = learning_groups()
    request = None if learning else requested_comparison()
if request is not None:
    if request.result.group:
        say_guess()
    show_comparison(request)
elif not learning:
    invite()
