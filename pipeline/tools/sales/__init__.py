"""The tool "sales": prices of homes, from several sources in order."""
