-- Chance that one of k tries passes, without putting back, as a mean over the cases with k tries or more (Chen et al., 2021).
-- set k = 1
SELECT evaluation, subject, COUNT(*) AS n_cases, AVG(chance) AS pass_at_k
FROM (SELECT t.evaluation, t.subject, t.suite, t.run_variant, t.case_group, t.variant, t.case_id,
             CASE WHEN t.n - t.n_passed < :k THEN CAST(1 AS DOUBLE)
                  ELSE 1 - EXP(SUM(CASE WHEN t.n - t.n_passed - i.i > 0 THEN LN(CAST(t.n - t.n_passed - i.i AS DOUBLE) / (t.n - i.i)) END)) END AS chance
      FROM tries t
      JOIN numbers i ON i.i < :k
      WHERE t.n >= :k
      GROUP BY t.evaluation, t.subject, t.suite, t.run_variant, t.case_group, t.variant, t.case_id, t.n, t.n_passed) chances
GROUP BY evaluation, subject
ORDER BY evaluation, subject
