"""Installed applications, wherever a system lists them; `installed` knows them all."""
