"""The writer without a model: it picks, orders and cites sentences of the evidence."""
