"""What we say of ourselves: the help, the suggested prompts, and the Home tab of who is not a member."""

from typing import Any

from slack_sdk.models.blocks import Block, HeaderBlock, SectionBlock

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
    "sur *Valider*.\n"
    "• M'appuyer sur vos fichiers (pdf, docx, xlsx, xls, csv, txt, md, html) : déposez-en un dans un fil avec moi, je "
    "ne le lis qu'après votre clic, pour ce canal ou pour toute l'équipe. Ce qui est ajouté dans un salon privé ou un "
    "message direct « ici seulement » n'en sort pas.\n\n"
    "*Commandes*\n"
    "• `/quartier sources` liste les fichiers ajoutés, vus d'ici : qui, quand, combien de passages, et de quoi les "
    "retirer. `/quartier sources bail meublé` ne garde que ceux qui en parlent.\n"
    "• `/quartier pourquoi` liste mes dernières réponses ici ; le bouton *Pourquoi ?*, aussi sous chaque réponse, en "
    "montre le plan, les sources, ce qui a été écarté, les calculs, le modèle, le temps et le coût, à vous seul.\n"
    "• `/quartier digest` règle le point de la semaine de ce canal : ses communes, ses dispositifs, son jour et son "
    "heure, un aperçu pour vous seul, sa pause.\n"
    "• `/quartier canal` règle ce canal : les dossiers de HubSpot y sont-ils montrés, qui peut y approuver.\n"
    "• `/quartier veille si le taux d'usure change` surveille les sites officiels une fois par jour pour ce canal ; "
    "`/quartier veille` liste les veilles, `/quartier veille stop 1` en arrête une.\n"
    "• `/quartier aide` affiche cette aide.\n\n"
    "*Comment me parler*\n"
    "• Mentionnez-moi dans un canal, puis continuez dans le fil sans me mentionner.\n"
    "• Ou écrivez-moi en message direct.\n"
    "• Rattachez un fil à un dossier : `--deal 9001`, ou « sur le dossier 9001 »."
)


def closed_view(sentence: str) -> dict[str, Any]:
    """The Home tab of who is not a member: why there is nothing."""
    blocks: list[Block] = [HeaderBlock(text="QuartierScope"), SectionBlock(text=sentence)]
    return {"type": "home", "blocks": [block.to_dict() for block in blocks]}


def suggested_prompts() -> list[dict[str, str]]:
    return [{"title": title, "message": prompt} for title, prompt in PROMPTS]
