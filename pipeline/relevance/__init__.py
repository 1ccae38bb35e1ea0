"""Whether what a search found can carry an answer, and which files are about something else."""
