"""What the sandbox answers to its own page and scripts when they ask for something impossible."""


class Wrong(Exception):
    """A French sentence that says what is wrong, with the HTTP status (4xx) that carries it."""

    def __init__(self, sentence: str, *, status: int = 400) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
