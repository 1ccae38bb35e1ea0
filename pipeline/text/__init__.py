"""Reading French closely: figures, dates, references, sentences; what the gate, the writers and the mask rest on."""
