"""A pretend HubSpot: contacts, deals, notes, tasks and their owners, in memory, in the shapes of the v3 API."""

from sandbox.hubspot.crm import Crm
from sandbox.hubspot.web import routes

__all__ = ["Crm", "routes"]
