"""What we say of ourselves: the Home tab, the help, the suggested prompts."""

from typing import Any

from slack_sdk.models.blocks import Block, ContextBlock, DividerBlock, HeaderBlock, MarkdownTextObject, SectionBlock

from bot.blocks.text import escape

PROMPTS = (
    ("Fiscalité", "Comment est imposée la revente d'un bien en LMNP depuis 2025 ?"),
    ("Prix", "Quels sont les prix des appartements à Villeurbanne ?"),
    ("Prix et risques", "Acheter une maison à Toulon en zone inondable : prix et obligations ?"),
    ("Dispositif", "Mon client peut-il encore acheter en Pinel ?"),
)

HELP = (
    "*Ce que je sais faire*\n"
    "• Répondre, sources et dates à l'appui, sur l'investissement résidentiel : fiscalité, dispositifs, DPE, zonages, "
    "risques, crédit, conformité.\n"
    "• Donner les prix d'une commune d'après les ventes enregistrées.\n"
    "• Proposer une note, une tâche ou une mise à jour dans HubSpot : rien n'est écrit tant que vous ne cliquez pas "
    "sur *Valider*.\n\n"
    "*Comment me parler*\n"
    "• Mentionnez-moi dans un canal, puis continuez dans le fil sans me mentionner.\n"
    "• Ou écrivez-moi en message direct.\n"
    "• Rattachez un fil à un dossier : `--deal 9001`, ou « sur le dossier 9001 »."
)


def home_view(parts: tuple[str, ...]) -> dict[str, Any]:
    """`parts` says which parts are connected, one sentence each."""
    blocks: list[Block] = [
        HeaderBlock(text="QuartierScope"),
        SectionBlock(text="Votre collègue pour l'immobilier résidentiel : des réponses datées et sourcées."),
        DividerBlock(),
        SectionBlock(text=HELP),
        DividerBlock(),
        SectionBlock(text="*Essayez*\n" + "\n".join(f"• {escape(prompt)}" for _title, prompt in PROMPTS)),
    ]
    if parts:
        blocks.append(ContextBlock(elements=[MarkdownTextObject(text=escape(" · ".join(parts))[:2_900])]))
    return {"type": "home", "blocks": [block.to_dict() for block in blocks]}


def suggested_prompts() -> list[dict[str, str]]:
    return [{"title": title, "message": prompt} for title, prompt in PROMPTS]
