-- Scores of each metric of each run: their number and mean.
SELECT m.evaluation, m.run, m.place, m.name,
       COUNT(s.score) AS n,
       COALESCE(AVG(s.score), MAX(e.empty_mean)) AS mean_score
FROM run_metrics m
JOIN evaluations e ON e.evaluation = m.evaluation
LEFT JOIN metric_scores s ON s.run = m.run AND s.name = m.name AND (e.mean_over = 'graded' OR s.is_attempted)
GROUP BY m.evaluation, m.run, m.place, m.name
