"""From a message and its thread to a `Reading`."""
