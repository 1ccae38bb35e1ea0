"""What this HubSpot knows of its objects: properties with types and options, pipelines, association type ids."""

from dataclasses import dataclass
from typing import Any

TOKEN = "pat-eu1-bac-a-sable-fictif"
PORTAL_ID = 14900001
CREATED = "2024-01-15T09:00:00.000Z"

OBJECT_TYPES = ("contacts", "deals", "notes", "tasks")
ENGAGEMENTS = ("notes", "tasks")
SINGULAR = {"contacts": "contact", "deals": "deal", "notes": "note", "tasks": "task"}
TYPE_NUMBERS = {"contacts": "0-1", "deals": "0-3", "notes": "0-46", "tasks": "0-27"}

# Ids of HubSpot's own association types, as published in the SDK's AssociationType.
ASSOCIATION_TYPES = {
    ("deals", "contacts"): 3,
    ("contacts", "deals"): 4,
    ("contacts", "notes"): 201,
    ("notes", "contacts"): 202,
    ("contacts", "tasks"): 203,
    ("tasks", "contacts"): 204,
    ("deals", "notes"): 213,
    ("notes", "deals"): 214,
    ("deals", "tasks"): 215,
    ("tasks", "deals"): 216,
}

DEFAULT_PROPERTIES = {
    "contacts": ("createdate", "email", "firstname", "hs_object_id", "lastmodifieddate", "lastname"),
    "deals": (
        "amount",
        "closedate",
        "createdate",
        "dealname",
        "dealstage",
        "hs_lastmodifieddate",
        "hs_object_id",
        "pipeline",
    ),
    "notes": ("hs_createdate", "hs_lastmodifieddate", "hs_object_id"),
    "tasks": ("hs_createdate", "hs_lastmodifieddate", "hs_object_id"),
}
REQUIRED_AT_CREATION = {"notes": ("hs_timestamp",), "tasks": ("hs_timestamp",)}
BODY_LIMIT = 65_536

STAGES = (
    ("appointmentscheduled", "Premier rendez-vous", "0.2", "false"),
    ("qualifiedtobuy", "Étude patrimoniale", "0.4", "false"),
    ("presentationscheduled", "Préconisation présentée", "0.6", "false"),
    ("contractsent", "Financement en cours", "0.8", "false"),
    ("closedwon", "Acte signé", "1.0", "true"),
    ("closedlost", "Sans suite", "0.0", "true"),
)


@dataclass(frozen=True, slots=True)
class Property:
    """One property: `type` as in HubSpot (string, number, datetime, enumeration), options as (value, label)."""

    name: str
    label: str
    type: str = "string"
    field_type: str = "text"
    options: tuple[tuple[str, str], ...] = ()
    read_only: bool = False
    calculated: bool = False

    def as_json(self) -> dict[str, Any]:
        options = [
            {"label": label, "value": value, "displayOrder": i, "hidden": False, "description": ""}
            for i, (value, label) in enumerate(self.options)
        ]
        return {
            "name": self.name,
            "label": self.label,
            "description": "",
            "groupName": "information",
            "type": self.type,
            "fieldType": self.field_type,
            "options": options,
            "calculated": self.calculated,
            "externalOptions": False,
            "hasUniqueValue": self.name == "email",
            "hidden": False,
            "hubspotDefined": True,
            "archived": False,
            "displayOrder": -1,
            "formField": False,
            "dataSensitivity": "non_sensitive",
            "createdAt": CREATED,
            "updatedAt": CREATED,
            "modificationMetadata": {
                "archivable": True,
                "readOnlyDefinition": True,
                "readOnlyOptions": False,
                "readOnlyValue": self.read_only,
            },
        }


def _read_only(name: str, label: str, type_: str = "datetime") -> Property:
    return Property(name, label, type_, "date" if type_ == "datetime" else "text", read_only=True)


_PRIORITIES = (("low", "Basse"), ("medium", "Moyenne"), ("high", "Haute"))
_TASK_PRIORITIES = (("NONE", "Aucune"), ("LOW", "Basse"), ("MEDIUM", "Moyenne"), ("HIGH", "Haute"))
_TASK_STATUSES = (
    ("NOT_STARTED", "À faire"),
    ("IN_PROGRESS", "En cours"),
    ("WAITING", "En attente"),
    ("DEFERRED", "Reportée"),
    ("COMPLETED", "Terminée"),
)
_OWNER = Property("hubspot_owner_id", "Propriétaire", "string", "text")

_TABLES: dict[str, tuple[Property, ...]] = {
    "contacts": (
        Property("firstname", "Prénom"),
        Property("lastname", "Nom"),
        Property("email", "E-mail"),
        Property("phone", "Téléphone", "string", "phonenumber"),
        Property("city", "Ville"),
        Property("jobtitle", "Profession"),
        _OWNER,
        _read_only("createdate", "Date de création"),
        _read_only("lastmodifieddate", "Dernière modification"),
        _read_only("hs_object_id", "Identifiant", "number"),
    ),
    "deals": (
        Property("dealname", "Nom du dossier"),
        Property("amount", "Montant", "number", "number"),
        Property("dealstage", "Étape", "enumeration", "radio", tuple((s[0], s[1]) for s in STAGES)),
        Property("pipeline", "Pipeline", "enumeration", "select", (("default", "Dossiers patrimoniaux"),)),
        Property("closedate", "Date de signature prévue", "datetime", "date"),
        Property("description", "Description", "string", "textarea"),
        Property("hs_next_step", "Prochaine étape"),
        Property("hs_priority", "Priorité", "enumeration", "select", _PRIORITIES),
        Property(
            "hs_forecast_amount", "Montant prévisionnel", "number", "calculation_equation", (), True, calculated=True
        ),
        _OWNER,
        _read_only("createdate", "Date de création"),
        _read_only("hs_lastmodifieddate", "Dernière modification"),
        _read_only("hs_object_id", "Identifiant", "number"),
    ),
    "notes": (
        Property("hs_timestamp", "Date de l'activité", "datetime", "date"),
        Property("hs_note_body", "Note", "string", "html"),
        _OWNER,
        _read_only("hs_createdate", "Date de création"),
        _read_only("hs_lastmodifieddate", "Dernière modification"),
        _read_only("hs_object_id", "Identifiant", "number"),
    ),
    "tasks": (
        Property("hs_timestamp", "Échéance", "datetime", "date"),
        Property("hs_task_subject", "Objet"),
        Property("hs_task_body", "Détail", "string", "html"),
        Property("hs_task_status", "État", "enumeration", "select", _TASK_STATUSES),
        Property("hs_task_priority", "Priorité", "enumeration", "select", _TASK_PRIORITIES),
        # TODO and CALL are HubSpot's own values
        Property("hs_task_type", "Type", "enumeration", "select", (("TODO", "À faire"), ("CALL", "Appel"))),
        _OWNER,
        _read_only("hs_createdate", "Date de création"),
        _read_only("hs_lastmodifieddate", "Dernière modification"),
        _read_only("hs_object_id", "Identifiant", "number"),
    ),
}
PROPERTIES = {kind: {p.name: p for p in table} for kind, table in _TABLES.items()}


def pipelines() -> list[dict[str, Any]]:
    """The one deal pipeline, named like a wealth adviser's files rather than like sales."""
    stages = [
        {
            "id": id_,
            "label": label,
            "displayOrder": order,
            "metadata": {"probability": probability, "isClosed": closed},
            "createdAt": CREATED,
            "updatedAt": CREATED,
            "archived": False,
            "writePermissions": "CRM_PERMISSIONS_ENFORCEMENT",
        }
        for order, (id_, label, probability, closed) in enumerate(STAGES)
    ]
    default = {"id": "default", "label": "Dossiers patrimoniaux", "displayOrder": 0, "stages": stages}
    return [{**default, "createdAt": CREATED, "updatedAt": CREATED, "archived": False}]
