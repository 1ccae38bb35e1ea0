"""How the offline reader learns: labelled messages in, small files of weights out. Not imported by the product."""
