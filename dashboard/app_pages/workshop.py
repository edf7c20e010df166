"""Workshop: a network under one's hands, with evidence by a click, d-separation, drawing and sampling."""

from dashboard.views.workshop.page import show_workshop

show_workshop()
