"""French forms that several tools share: places after a preposition, counts."""


def at(name: str) -> str:
    """ "à Toulon", "au Havre", "aux Abymes", "à Lyon 7e" for "Lyon 7e Arrondissement"."""
    name = name.removesuffix(" Arrondissement")
    article, _, rest = name.partition(" ")
    return {"Le": f"au {rest}", "Les": f"aux {rest}"}.get(article, f"à {name}") if rest else f"à {name}"


def count(value: int) -> str:
    """`12345` -> `12 345`, with narrow no-break spaces."""
    return f"{value:,}".replace(",", "\u202f")


def decimal(value: float, *, digits: int = 1) -> str:
    """`13.42` -> `13,4`."""
    return f"{value:.{digits}f}".replace(".", ",")
