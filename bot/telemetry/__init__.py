"""What the operator sees: metrics of the process for Prometheus, one trace an answer for any OTLP backend."""
