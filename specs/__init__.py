"""The claims: one module a topic, each statement next to its executable form. See README.md."""
