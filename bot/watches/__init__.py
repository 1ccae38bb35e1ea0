"""Questions that a channel asks once for every day: what official sites say anew is posted there, once."""
