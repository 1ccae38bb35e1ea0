"""From a message and its thread to a `Reading`, and from a reading to a `Route`."""
