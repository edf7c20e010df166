"""Tables as programs export them, with the right reading: a module a program, whose `exports()` yields its switches."""
