"""How the offline reader learns: labelled messages in, a few small files of weights out. Not imported by the product."""
