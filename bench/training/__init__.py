"""How the offline reader learns: labelled messages in, small files of weights out. The product imports none of it."""
