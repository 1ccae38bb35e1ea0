"""Any workspace: who has installed us, with which tokens, and what becomes of it when they leave."""
