"""What goes to Slack and comes from it: delivery, blocks, files, charts."""
