"""The fictitious contacts: homonyms and near-spellings on purpose, two of them without any deal."""

from datetime import UTC, datetime

from sandbox.hubspot.seed_deals import Seed

_CREATED = datetime(2026, 3, 2, 8, tzinfo=UTC)

# Id, first name, last name, town, occupation, owner.
_ROWS = (
    ("501", "Paul", "Martin", "Villeurbanne", "Ingénieur", "3001"),
    ("502", "Sophie", "Martin", "Villeurbanne", "Professeure", "3001"),
    ("503", "Anne", "Lefèvre", "Nantes", "Pharmacienne", "3002"),
    ("504", "Karim", "Benali", "Toulon", "Officier de marine", "3001"),
    ("505", "Luc", "Garnier", "Saint-Étienne", "Chirurgien-dentiste", "3002"),
    ("506", "Elena", "Martín", "Bordeaux", "Architecte", "3003"),
    ("507", "Diego", "Martinez", "Toulouse", "Restaurateur", "3003"),
    ("508", "Claire", "Lefebvre", "Lille", "Avocate", "3002"),
    ("509", "Jean", "Lefebvre", "Lille", "Retraité", "3002"),
    ("510", "Jean", "Moreau", "Lyon", "Kinésithérapeute", "3001"),
    ("511", "Julie", "Moreau", "Rennes", "Infirmière libérale", "3003"),
    ("512", "Jean", "Moreau", "Rennes", "Agriculteur", "3003"),
    ("513", "Thi", "Nguyen", "Montpellier", "Informaticienne", "3003"),
    ("514", "Amélie", "Dupont", "Marseille", "Directrice commerciale", "3001"),
    ("515", "Marc", "Dupond", "Marseille", "Artisan", "3002"),
    ("516", "Nadia", "Haddad", "Strasbourg", "Médecin", "3002"),
    ("517", "Olivier", "Petit", "Grenoble", "Ingénieur", "3001"),
    ("518", "Isabelle", "Petitjean", "Dijon", "Pharmacienne", "3003"),
    ("519", "François", "Le Gall", "Brest", "Officier de marine", "3002"),
    ("520", "Hélène", "Le Goff", "Quimper", "Vétérinaire", "3003"),
    ("521", "Samuel", "Cohen", "Nice", "Chirurgien", "3001"),
    ("522", "Fatou", "Diallo", "Lyon", "Cheffe d'entreprise", "3001"),
    ("523", "Antoine", "Roche", "Clermont-Ferrand", "Enseignant", "3002"),
    ("524", "Antoine", "Rocher", "Clermont-Ferrand", "Cadre bancaire", "3003"),
    ("525", "Béatrice", "Fontaine", "Angers", "Retraitée", "3002"),
    ("526", "Pierre", "Fontaine", "Angers", "Retraité", "3002"),
    ("527", "Yann", "Guérin", "Nantes", "Chef de projet", "3003"),
    ("528", "Yves", "Guerin", "Nantes", "Commerçant", "3003"),
    ("529", "Camille", "Bernard", "Metz", "Sage-femme", "3001"),
    ("530", "Michel", "Bernard", "Nancy", "Expert-comptable", "3001"),
    ("531", "Sarah", "Schmitt", "Strasbourg", "Fonctionnaire", "3002"),
    ("532", "Louis", "Schmidt", "Mulhouse", "Technicien", "3003"),
    ("533", "Chloé", "Robert", "Toulon", "Ostéopathe", "3001"),
    ("534", "Robert", "Chevalier", "Aix-en-Provence", "Chef d'entreprise", "3002"),
    ("535", "Manon", "Girard", "Villeurbanne", "Interne en médecine", "3001"),
)

_ASCII = str.maketrans("éèêçïíôÉ ", "eeeciioe.")
_SECOND_OF_A_NAME = {"512": "2"}


def contacts() -> list[Seed]:
    """Telephones of the reserved French range 01 99 00, addresses at example.com."""
    return [
        (
            "contacts",
            id_,
            _CREATED,
            {
                "firstname": first,
                "lastname": f"{last} (fictif)",
                "email": f"{f'{first}.{last}'.translate(_ASCII).lower()}{_SECOND_OF_A_NAME.get(id_, '')}@example.com",
                "phone": f"01 99 00 {int(id_) - 490} 00",
                "city": town,
                "jobtitle": job,
                "hubspot_owner_id": owner,
            },
            (),
        )
        for id_, first, last, town, job, owner in _ROWS
    ]
