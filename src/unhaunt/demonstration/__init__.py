"""The story of two machines that disagree, planted and told with real interpreters."""
