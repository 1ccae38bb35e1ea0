"""The tool "crm" and what it reads of HubSpot."""
