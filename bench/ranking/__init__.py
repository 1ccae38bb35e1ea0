"""How well passages are found."""
