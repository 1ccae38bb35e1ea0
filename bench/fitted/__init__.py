"""What is fitted on our own entries and questions, and judged on others."""
