"""Which entry a message asks for, learned: every word of the one is held against every word of the other.

Late interaction as in ColBERT (Khattab and Zaharia 2020): message and entry are read apart, so that an entry's states
are computed once, and meet in a sum of best cosines.
"""
