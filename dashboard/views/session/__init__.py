"""What stands on every page: how a tab arrived, how long its work is kept, and the answers so far."""
