"""Writes to the CRM, proposed and revised, never made here."""
