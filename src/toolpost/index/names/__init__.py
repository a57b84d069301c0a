"""Names: what they are made of, and tables that find files by them."""
