"""Small tables with a known truth and a few real ones, to try Diptych on, to teach with, and to test it."""

from sample_data.catalog import CATALOG, Sample, dataset, file_bytes, load, truth
from sample_data.vowels import japanese_vowels

__all__ = ["CATALOG", "Sample", "dataset", "file_bytes", "japanese_vowels", "load", "truth"]
