"""Speed and memory: pytest-benchmark files, and a script that runs other libraries on the same data."""
