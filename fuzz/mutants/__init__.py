"""The suite itself tested: a file is broken in many small ways, and its tests have to notice."""
