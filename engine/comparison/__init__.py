"""Two to six answers of one table beside each other: which links differ, with sign and doubt; see the README."""
