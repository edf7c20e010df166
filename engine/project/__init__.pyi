"""The public names, and where they live."""

from .file import ENDING, load, save, to_bytes
from .groups import by_group
from .project import Kept, Project

__all__ = ["ENDING", "Kept", "Project", "by_group", "load", "save", "to_bytes"]
