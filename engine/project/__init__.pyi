"""The public names, and where they live."""

from .file import ENDING, describe_contents, load, save, to_bytes
from .groups import by_group
from .project import Project
from .saved_result import SavedResult

__all__ = ["ENDING", "Project", "SavedResult", "by_group", "describe_contents", "load", "save", "to_bytes"]
