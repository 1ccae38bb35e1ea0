"""The reader without a model: intents and roles as learned, everything else by rule."""
