-- Sum, number and standard deviation of the scores of each run.
SELECT run, COUNT(*) AS n_scores, SUM(score) AS sum_score, STDDEV_SAMP(score) AS score_std
FROM primary_scores
GROUP BY run
