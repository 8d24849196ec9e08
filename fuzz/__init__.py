"""Campaigns, adapters to other people's engines, a museum of real bugs, mutants of our own code."""
