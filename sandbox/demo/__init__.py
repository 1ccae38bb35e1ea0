"""A conversation played in the page by itself: what is said and clicked stands in `scenes.toml`."""
