"""The built-in articles' own questions, and the other ways in which advisers ask them."""
