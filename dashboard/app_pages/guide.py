"""Guide: how to use each page and how to read what it says, to be read without a network."""

from dashboard.views.guide.page import show_guide

show_guide()
