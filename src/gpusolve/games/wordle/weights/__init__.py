"""Answers that are not equally likely: their weights, the search and the statistics that use them, a source."""
