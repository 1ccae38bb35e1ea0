"""A purchase: its fees, its price beside the market, reductions and deductions that come with it."""
