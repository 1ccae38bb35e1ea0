"""Messages that grow while they are made, where the workspace has them."""
