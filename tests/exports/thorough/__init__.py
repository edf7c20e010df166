"""The long tests of exports."""
