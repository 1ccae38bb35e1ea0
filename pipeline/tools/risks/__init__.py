"""The tool "risks" over Géorisques."""
