-- Chance that one of k tries passes, without putting back, as a mean over the cases with k tries or more (Chen et al., 2021).
-- set k = 1
SELECT evaluation, subject, SUM(n_cases) AS n_cases, SUM(chance * n_cases) / SUM(n_cases) AS pass_at_k
FROM (SELECT t.evaluation, t.subject, t.n, t.n_passed, t.n_cases,
             CASE WHEN t.n - t.n_passed < :k THEN CAST(1 AS DOUBLE)
                  ELSE 1 - EXP(SUM(CASE WHEN t.n - t.n_passed - i.i > 0 THEN LN(CAST(t.n - t.n_passed - i.i AS DOUBLE) / (t.n - i.i)) END)) END AS chance
      FROM (SELECT l.evaluation, l.subject, c.n, c.n_passed, COUNT(*) AS n_cases
            FROM tries c
            JOIN (SELECT DISTINCT lane, evaluation, subject FROM lanes) l ON l.lane = c.lane
            WHERE c.n >= :k
            GROUP BY l.evaluation, l.subject, c.n, c.n_passed) t
      JOIN numbers i ON i.i < :k
      GROUP BY t.evaluation, t.subject, t.n, t.n_passed, t.n_cases) chances
GROUP BY evaluation, subject
ORDER BY evaluation, subject
