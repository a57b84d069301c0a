"""A repository on GitHub, read over its REST API."""
