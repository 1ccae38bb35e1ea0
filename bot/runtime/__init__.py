"""The long-running processes, the Bolt app and the clock."""
