"""A pretend HubSpot: contacts, deals, notes, tasks and their owners, in memory, in the shapes of the v3 API."""

from sandbox.hubspot.crm import Crm
from sandbox.hubspot.oauth import OTHER_PORTAL, Portals, other_firm
from sandbox.hubspot.schema import PORTAL_ID
from sandbox.hubspot.web import routes

__all__ = ["OTHER_PORTAL", "PORTAL_ID", "Crm", "Portals", "other_firm", "routes"]
