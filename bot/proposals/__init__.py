"""CRM writes that somebody may approve: their life and their execution."""
