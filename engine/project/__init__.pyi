"""The public names, and where they live."""

from .file import ENDING, describe_contents, load, save, to_bytes
from .project import Project, SavedResult, by_group

__all__ = ["ENDING", "Project", "SavedResult", "by_group", "describe_contents", "load", "save", "to_bytes"]
