-- The scores that simple gates look at: of the metric that the gate names, else the cases' own; attempted or not.
-- Where a producer judges checks without scoring them, right is 1 and wrong is 0.
SELECT e.evaluation, r.repeat, c.score, c.is_attempted
FROM evaluations e
JOIN runs r ON r.evaluation = e.evaluation
JOIN case_facts c ON c.run = r.run
WHERE e.gate_kind = 'simple' AND e.gate_metric IS NULL AND c.score IS NOT NULL
UNION ALL
SELECT e.evaluation, r.repeat,
       CASE WHEN k.is_correct IS NOT NULL AND f.n_check_scores = 0 THEN CASE WHEN k.is_correct THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END
            ELSE k.score END AS score,
       COALESCE(c.is_attempted, TRUE) AS is_attempted
FROM evaluations e
JOIN runs r ON r.evaluation = e.evaluation
JOIN checks k ON k.run = r.run AND k.name = e.gate_metric
LEFT JOIN (SELECT run, case_idx, is_attempted FROM case_facts WHERE NOT is_attempted) c ON c.run = k.run AND c.case_idx = k.case_idx
JOIN (SELECT run, COUNT(score) AS n_check_scores FROM checks GROUP BY run) f ON f.run = r.run
WHERE e.gate_kind = 'simple' AND (k.score IS NOT NULL OR (k.is_correct IS NOT NULL AND f.n_check_scores = 0))
