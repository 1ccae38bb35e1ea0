"""A pretend Slack, HubSpot and open-data service on 127.0.0.1, with a web page. Knows nothing of the bot it serves."""
