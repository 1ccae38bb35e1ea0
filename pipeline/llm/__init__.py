"""Language models behind `ChatModel`, and the two writers of a draft."""
