"""One question -> one answer; no Slack, no SQL, no writes."""
