"""Small tables with a known truth, to try Diptych on, to teach with, and to test it."""

from sample_data.catalog import CATALOG, Sample, dataset, file_bytes, load, truth

__all__ = ["CATALOG", "Sample", "dataset", "file_bytes", "load", "truth"]
