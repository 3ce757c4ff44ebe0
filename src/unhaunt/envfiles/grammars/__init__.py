"""One module a grammar: text in, assignments out. Pure: no IO."""
