"""Contingency counts, the cost of everything here.

Three ways, chosen by size (the figures behind the choice are in `docs/speed.md`):

- **bit planes** while a family has few cells: one bit a row and level, AND, bits counted, the last level by
  subtraction; the planes of one parent configuration are built once a block and serve every candidate parent;
- **histograms** of a mixed-radix code when the cells are many;
- **sorting** when parent configurations outnumber the rows, so that only observed ones are stored.

`requests` has what can be asked, `blocks` how a block of rows answers; the blocks of a table may be in memory, on disk
or on a cluster (`engine.data.store`), and threads share what is in memory.

The kernels are numba. `numpy_counter` counts in plain NumPy until compiling them pays, and is what the tests compare
them with; `climber` is a whole greedy search as one kernel.
"""
