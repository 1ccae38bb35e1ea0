"""From a message in a thread to its answer, remembered."""
