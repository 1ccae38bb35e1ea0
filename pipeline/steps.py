"""The steps of an answer, as they are told to who waits for it."""

from typing import Final

from pipeline.ports import Step
from pipeline.section_names import tool_section
from pipeline.types import Route

CORPUS: Final = "Recherche dans le corpus"
_TITLES: Final = {"facts": "Chiffres officiels datés", "web": "Sites officiels"}
"""Of tools whose findings have no section of their own."""
ON_THE_WEB: Final = Step("cherche sur les sites officiels : le corpus ne suffit pas", ("Sites officiels",))
CHECKING: Final = Step(
    "vérifie chaque phrase et chaque chiffre dans les sources", ("Vérification des phrases et des chiffres",)
)


def gathering(route: Route) -> Step:
    """The search and each tool, side by side."""
    searched = (CORPUS,) if "rag" in route.mode else ()
    tools = dict.fromkeys(_TITLES.get(call.tool) or tool_section(call.tool) for call in route.tool_calls)
    return Step("consulte le corpus et les données de marché", (*searched, *tools) or (CORPUS,))


def writing(sources: int) -> Step:
    """From so many sources."""
    told = "d'une source" if sources == 1 else f"de {sources} sources"
    return Step(f"rédige à partir {told}", ("Rédaction",))


def quietly(_step: Step) -> None:
    """Tells nobody."""
