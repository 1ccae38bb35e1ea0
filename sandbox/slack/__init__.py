"""The pretend Slack: Web API, Socket Mode, signed HTTP events, interactivity, and the limits that Slack enforces."""
