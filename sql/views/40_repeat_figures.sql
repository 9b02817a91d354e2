-- Figures of each repeat over all its runs. What was evaluated again counts once.
SELECT t.evaluation, t.repeat,
       SUM(t.total) AS total,
       SUM(t.attempted) AS attempted,
       SUM(t.errors) AS errors,
       SUM(t.skipped) AS skipped,
       SUM(COALESCE(s.n_scores, 0)) AS n_scores,
       CASE WHEN SUM(s.n_scores) > 0 THEN SUM(s.sum_score) / SUM(s.n_scores) ELSE MAX(e.empty_mean) END AS mean_score,
       CASE WHEN SUM(s.n_scores) > 0 AND SUM(t.n_cases) > 0 THEN SUM(s.sum_score) / SUM(t.n_cases) ELSE MAX(e.empty_mean) END AS mean_total
FROM run_totals t
JOIN evaluations e ON e.evaluation = t.evaluation
LEFT JOIN run_scores s ON s.run = t.run
WHERE t.again IS NULL
GROUP BY t.evaluation, t.repeat
