"""Evidence that has no bound: arithmetic for all integers, structures for streams of any length.

A proof names its claim, `@evidence("proof", of="topic.claim", scope="all integers")`, or stands below it.
"""
