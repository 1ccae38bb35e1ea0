"""What the offline reader learned: features, linear models, their weights and the labelled messages."""
