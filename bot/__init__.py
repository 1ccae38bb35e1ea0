"""The application: Slack in and out, SQL memory, durable jobs, CRM writes, schedule."""
