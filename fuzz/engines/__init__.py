"""Adapters to other people's engines, and their comparison with the meaning of windows."""
