"""All SQL of the application; knows no Slack."""
