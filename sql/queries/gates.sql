-- The gate of each repeat, where it is over one metric.
SELECT * FROM gate_figures ORDER BY evaluation, repeat
