"""What the dashboard costs its server."""
