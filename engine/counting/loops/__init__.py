"""The innermost loops of counting, written in the compiler's own code: vectors as wide as the processor has them."""
