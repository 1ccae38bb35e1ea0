"""Facts beside prose: dated records of each scheme's and rule's key values, their loader, lookups and search."""
