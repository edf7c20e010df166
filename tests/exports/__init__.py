"""Tables as programs export them, each with the right reading: one module a program, `exports()` yields its switches."""
