"""The compliance record: what was answered, on what, and who decided what, for somebody who audits the firm."""
