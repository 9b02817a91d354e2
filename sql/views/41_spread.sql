-- Spread of the mean score over the repeats of each evaluation that has several. The deviation of one value is 0, as letta-evals has it.
SELECT evaluation,
       COUNT(*) AS n_repeats,
       AVG(mean_score) AS mean,
       CASE WHEN COUNT(mean_score) > 1 THEN STDDEV_SAMP(mean_score) WHEN COUNT(mean_score) = 1 THEN CAST(0 AS DOUBLE) END AS std,
       MIN(mean_score) AS "min",
       MAX(mean_score) AS "max"
FROM repeat_figures
GROUP BY evaluation
HAVING COUNT(*) > 1
