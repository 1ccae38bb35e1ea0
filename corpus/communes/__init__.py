"""How communes are found in French text: the table, words that mislead, the rules. The door is `corpus.places`."""
