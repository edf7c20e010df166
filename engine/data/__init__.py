"""Tables: files to a table, a table to codes, and what a data set keeps of its rows."""
