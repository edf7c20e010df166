"""The page that compares: which links differ between two to six results, in one picture, with sign and doubt."""
