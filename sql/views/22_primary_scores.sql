-- The scores that the mean of a run is over: those of its primary metric, else the cases' own.
SELECT c.run, c.score
FROM case_facts c
JOIN evaluations e ON e.evaluation = c.evaluation
WHERE e.primary_metric IS NULL AND c.score IS NOT NULL AND (e.mean_over = 'graded' OR c.is_attempted)
UNION ALL
SELECT m.run, m.score
FROM metric_scores m
JOIN evaluations e ON e.evaluation = m.evaluation
WHERE m.name = e.primary_metric AND e.has_metrics AND (e.mean_over = 'graded' OR m.is_attempted)
