"""The grounds file tools stand on: roots that cannot be left, files read and written whole."""
