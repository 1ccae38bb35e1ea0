"""The draft of an answer, by a model or by the offline writer, judged and cut to what stands."""
