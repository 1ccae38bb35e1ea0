"""The fictitious notes: five with fixed days on the four known deals, the others some days before today."""

from datetime import date, timedelta

from sandbox.hubspot.seed_deals import Seed, on

# Id, day, deal, contact, owner, HTML.
_FIXED = (
    ("7001", "2026-09-16", "9001", "501", "3001", "<p>Premier rendez-vous : cherchent un T3, budget plafonné à "
     "250&nbsp;000&nbsp;euros frais compris. <strong>Refusent le neuf.</strong></p>"),
    ("7002", "2026-10-22", "9001", "501", "3001", "<p>Banque&nbsp;: accord de principe sur vingt ans.<br>"
     "Attendent notre avis sur le niveau des prix du quartier.</p>"),
    ("7003", "2026-10-12", "9002", "503", "3002", "<p>La cliente veut vendre avant la fin de l'année si "
     "l'impôt reste supportable.</p>"),
    ("7004", "2026-10-06", "9003", "504", "3001", "<p>Mutation prévue à l'été 2029. Souhaite garder la maison "
     "et la louer vide.</p>"),
    ("7005", "2026-11-03", "9004", "505", "3002", "<p>Devis de toiture reçu, ravalement en attente.</p>"),
)  # fmt: skip

# Deal, contact, owner, then (days ago, text). Deals that are missing here have been left alone for long.
_ROWS: tuple[tuple[str, str, str, tuple[tuple[int, str], ...]], ...] = (
    ("9005", "506", "3003", ((70, "Premier échange par téléphone."), (21, "Deux banques consultées, taux attendus."),
                             (6, "Préfère un loyer nu et un bail de trois ans."))),
    ("9006", "507", "3003", ((130, "Visite des murs."), (44, "Bail commercial reçu, neuf ans restants."),
                             (9, "La banque demande un apport de 15 %."))),
    ("9007", "508", "3002", ((190, "Ouverture de la succession."), (88, "Inventaire remis par le notaire."),
                             (31, "Jean préfère vendre la maison, Claire la garder."))),
    ("9008", "510", "3001", ((35, "Souhaite un T2 meublé."), (10, "Visite prévue samedi, loyer annoncé à vérifier."))),
    ("9009", "511", "3003", ((13, "Demande reçue par le site du cabinet."),)),
    ("9010", "513", "3003", ((240, "Réservation signée."), (30, "Acte signé, clés remises."))),
    ("9011", "514", "3001", ((100, "Compromis signé."), (52, "Prêt relais accepté dans son principe."),
                             (4, "Offre définitive attendue cette semaine."))),
    ("9012", "515", "3002", ((22, "Cherche un local avec quai de livraison."),)),
    ("9013", "516", "3002", ((80, "Recettes sous le seuil du micro-BIC."), (19, "Veut comparer avec le réel."))),
    ("9014", "517", "3001", ((185, "Diagnostic : classe G."), (96, "Devis d'isolation demandé à deux artisans."))),
    ("9015", "518", "3003", ((66, "Trois enfants, un seul mineur."), (27, "Projet de statuts à relire."))),
    ("9016", "519", "3002", ((280, "Projet lié à une mutation."), (60, "Mutation annulée, projet abandonné."))),
    ("9017", "520", "3003", ((60, "Immeuble en copropriété de huit lots."),
                             (3, "Assemblée générale : changement d'usage autorisé."))),
    ("9018", "521", "3001", ((120, "Vendeurs âgés de 74 et 76 ans."), (39, "Première offre refusée."),
                             (14, "Seconde offre acceptée, dossier parti à la banque."))),
    ("9019", "522", "3001", ((101, "Six lots, deux vacants."), (33, "Devis de toiture : 48 000 euros."),
                             (2, "Veut voir le montage en société avant de décider."))),
    ("9020", "523", "3002", ((11, "Premier contact sur recommandation."),)),
    ("9021", "524", "3003", ((125, "Division possible selon le syndic."), (71, "Attend l'accord de son épouse."))),
    ("9022", "525", "3002", ((90, "Deux enfants, biens à répartir."), (16, "Le notaire propose une date."),
                             (5, "Les enfants sont d'accord sur le partage."))),
    ("9023", "527", "3003", ((58, "Budget revu à la baisse."), (24, "Premier bien écarté à cause du bruit."))),
    ("9024", "528", "3003", ((12, "Acte signé."),)),
    ("9026", "531", "3002", ((140, "Copropriété de quatre lots."), (18, "Dossier de subvention déposé."),
                             (8, "Banque : accord sous réserve des devis."))),
    ("9027", "532", "3003", ((160, "Hésite entre loyer intermédiaire et social."),)),
    ("9028", "533", "3001", ((47, "Cherche une terrasse."), (15, "Secteur exposé au recul du trait de côte, à lire."))),
    ("9029", "534", "3002", ((175, "Souhaite garder l'usage de la bastide."),)),
    ("9033", "522", "3001", ((55, "Locataire en place jusqu'en 2029."),)),
    ("9038", "533", "3001", ((17, "Rente discutée avec la venderesse."),)),
    ("9025", "529", "3001", ((7, "Souhaite un bien loué dès l'achat."),)),
    ("9037", "520", "3003", ((18, "Visite repoussée après les vacances."),)),
    ("9040", "506", "3003", ((20, "Comptes 2025 demandés à l'expert-comptable."),)),
)  # fmt: skip


def notes(today: date) -> list[Seed]:
    """In order of id, which is not the order of the days."""
    rows = [(id_, date.fromisoformat(day), deal, person, owner, body) for id_, day, deal, person, owner, body in _FIXED]
    told = ((deal, person, owner, ago, text) for deal, person, owner, said in _ROWS for ago, text in said)
    rows += [
        (str(7006 + n), today - timedelta(days=ago), deal, person, owner, f"<p>{text}</p>")
        for n, (deal, person, owner, ago, text) in enumerate(told)
    ]
    return [
        (
            "notes",
            id_,
            on(day, 15),
            {"hs_note_body": body, "hs_timestamp": f"{day}T15:00:00Z", "hubspot_owner_id": owner},
            (("deals", deal), ("contacts", person)),
        )
        for id_, day, deal, person, owner, body in rows
    ]
