"""Where a student is in each exercise, and what was predicted; both last until the session ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from dashboard.session.session import session
from engine.classroom.exercise import Prediction


@dataclass
class LessonProgress:
    """Where a student is in one exercise, and what was predicted before each result."""

    slug: str
    seed: int
    position: int = 0
    predictions: dict[int, Prediction] = field(default_factory=dict)


@dataclass
class LessonsBegun:
    """All exercises that were opened, the latest last; they stay when a table is opened, and over a reload."""

    OUTLASTS_TABLE: ClassVar[bool] = True

    exercises: list[LessonProgress] = field(default_factory=list)

    @property
    def is_resumable(self) -> bool:
        """Whether a reload comes back to it."""
        return any(exercise.predictions for exercise in self.exercises)

    def open(self, slug: str, seed: int) -> LessonProgress:
        """The exercise of this lesson and seed, as it was left; at its first step where it is new."""
        known = [exercise for exercise in self.exercises if (exercise.slug, exercise.seed) == (slug, seed)]
        exercise = known[0] if known else LessonProgress(slug, seed)
        self.exercises = [other for other in self.exercises if other is not exercise and other.predictions] + [exercise]
        return exercise

    def latest(self, slug: str) -> LessonProgress | None:
        """The exercise of a lesson that was opened last with a prediction in it."""
        begun = [exercise for exercise in self.exercises if exercise.slug == slug and exercise.predictions]
        return begun[-1] if begun else None


def lessons_begun() -> LessonsBegun:
    """The lessons begun in this session."""
    return session().state(LessonsBegun)
