"""The advisor's arithmetic, one subject a file: pure functions of typed inputs, each with its formula and source."""
