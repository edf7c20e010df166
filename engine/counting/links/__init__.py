"""Kernels of signed links: common log odds ratios over contexts, and what separates two variables in a graph."""
