"""One file of each kind as a firm has them, with a question that only this file answers. Nothing in them exists."""

from dataclasses import dataclass

from tests.dropped_files import old_workbook, pdf, word, workbook


@dataclass(frozen=True)
class FirmFile:
    """`question` is answered by a sentence that holds `answer`, cited under `name`."""

    name: str
    content: bytes
    question: str
    answer: str


def firm_files() -> list[FirmFile]:
    """pdf, docx, xlsx, xls, csv, txt, md, html."""
    return [_rules(), _minutes(), _prices(), _charges(), _rents(), _visit(), _mandate(), _listing()]


def _rules() -> FirmFile:
    first = (
        "RÈGLEMENT DE COPROPRIÉTÉ - RÉSIDENCE LES TILLEULS",
        "Article 8 - Destination de l'immeuble.",
        "La résidence Les Tilleuls est à usage d'habitation bourgeoise simple.",
        "L'exercice d'une profession libérale y est permis au rez-de-chaussée seulement.",
    )
    second = (
        "Article 12 - Locations meublées.",
        "Aux Tilleuls, la location meublée de courte durée est interdite dans tous les lots.",
        "La location meublée à l'année, à usage de résidence principale, reste permise.",
        "Toute infraction à l'article 12 est signifiée par le syndic dans les quinze jours.",
    )
    return FirmFile(
        "règlement de copropriété.pdf",
        pdf([first, second]),
        "La location meublée de courte durée est-elle permise aux Tilleuls ?",
        "interdite dans tous les lots",
    )


def _minutes() -> FirmFile:
    paragraphs = (
        ("Heading 1", "Procès-verbal de l'assemblée générale des Tilleuls"),
        (
            "Normal",
            "L'assemblée générale de la copropriété s'est réunie le 12 juin 2026 sous la présidence de Mme Roux.",
        ),
        ("Heading 2", "Résolution 7 : ravalement de la façade"),
        (
            "Normal",
            "Le ravalement de la façade des Tilleuls est voté pour un montant de 186 400 euros. L'appel de fonds du "
            "ravalement se fait en quatre trimestres à compter du 1er octobre 2026.",
        ),
    )
    return FirmFile(
        "PV assemblée 2026.docx",
        word(paragraphs),
        "Quel montant de travaux de ravalement de façade a été voté par la copropriété des Tilleuls ?",
        "186 400",
    )


def _prices() -> FirmFile:
    rows = [
        ("Lot", "Type", "Surface (m²)", "Étage", "Prix (€)"),
        ("A101", "T2", 42.5, 1, 168000),
        ("A203", "T3", 63.0, 2, 236500),
        ("B304", "T4", 84.2, 3, 312000),
    ]
    return FirmFile(
        "grille de prix Belvédère.xlsx",
        workbook({"Programme Belvédère": rows}),
        "Quel est le prix du lot A203 du programme Belvédère ?",
        "236",
    )


def _charges() -> FirmFile:
    rows: list[list[str | float]] = [
        ["Poste de charges", "Budget 2025 (€)", "Budget 2026 (€)"],
        ["Chauffage collectif", 41200.0, 38750.0],
        ["Entretien de l'ascenseur", 6120.0, 6480.0],
        ["Assurance de l'immeuble", 9800.0, 10350.0],
    ]
    return FirmFile(
        "charges des Tilleuls.xls",
        old_workbook({"Charges": rows}),
        "Quel budget de charges 2026 pour l'entretien de l'ascenseur de la copropriété ?",
        "6480",
    )


def _rents() -> FirmFile:
    lines = (
        "Bien;Locataire;Loyer hors charges;Fin du bail",
        "Studio rue Pasteur;bail étudiant;520;31/08/2027",
        "T3 quai Vauban;bail meublé;1180;30/11/2028",
    )
    return FirmFile(
        "état locatif.csv",
        "\r\n".join(lines).encode("cp1252"),
        "Quel est le loyer hors charges du T3 quai Vauban ?",
        "1180",
    )


def _visit() -> FirmFile:
    text = (
        "Compte rendu de visite, maison du chemin des Amandiers.\n\n"
        "La toiture de la maison du chemin des Amandiers est à reprendre : le couvreur chiffre les travaux à "
        "23 500 euros. Le diagnostic de performance énergétique classe la maison en E.\n\n"
        "L'assainissement individuel n'est pas conforme ; le vendeur n'a pas prévu de travaux.\n"
    )
    return FirmFile(
        "visite Amandiers.txt",
        text.encode(),
        "Combien coûtent les travaux de toiture de la maison du chemin des Amandiers ?",
        "23 500",
    )


def _mandate() -> FirmFile:
    text = (
        "# Convention d'honoraires 2026\n\n## Article 3 - Honoraires de conseil\n\n"
        "Les honoraires de conseil du cabinet pour un investissement immobilier sont de 1 450 euros hors taxes, dus à "
        "la remise du rapport d'adéquation.\n\n## Article 4 - Suivi\n\nLe suivi annuel du patrimoine est facturé 380 "
        "euros hors taxes.\n"
    )
    return FirmFile(
        "convention d'honoraires.md",
        text.encode(),
        "Quels honoraires de conseil le cabinet facture-t-il pour un investissement immobilier ?",
        "1 450",
    )


def _listing() -> FirmFile:
    page = (
        "<!doctype html><html lang='fr'><head><meta charset='utf-8'><title>Résidence Grand Large</title></head><body>"
        "<nav><a href='/'>Accueil</a></nav><main><h1>Résidence Grand Large</h1><p>La résidence étudiante Grand Large "
        "est livrée au deuxième trimestre 2028. Le bail commercial de la résidence Grand Large est conclu pour neuf "
        "ans avec le gestionnaire Habitéa, qui verse un loyer garanti de 4,1 % du prix.</p></main></body></html>"
    )
    return FirmFile(
        "résidence Grand Large.html",
        page.encode(),
        "Quelle est la durée du bail commercial de la résidence étudiante Grand Large ?",
        "neuf ans",
    )
