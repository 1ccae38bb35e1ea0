"""What answers, readings and drafts are worth against what people wrote down."""
