"""Where documents come from; each source yields `Document` values."""
