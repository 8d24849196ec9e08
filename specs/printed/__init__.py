"""Algorithms of the papers line by line as printed, to see for which inputs they are right."""
