"""Learn: short lessons, each a question, with a prediction before every result."""

from dashboard.views.learn.address import requested_lesson
from dashboard.views.learn.lesson_list import show_lessons
from dashboard.views.learn.student import show_lesson
from dashboard.views.learn.teacher import show_for_teacher

requested = requested_lesson()
if requested is None:
    show_lessons()
elif requested.teacher:
    show_for_teacher(requested.lesson)
else:
    show_lesson(requested.lesson)
