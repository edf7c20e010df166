"""Drawings that know results, not pages."""
