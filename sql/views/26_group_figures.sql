-- Groups of runs: cases, passed, and the mean of the scores, of each id the last one.
SELECT g.evaluation, g.run, g.place, g.name, g.kind, g.weight,
       COUNT(c.case_idx) AS cases,
       SUM(CASE WHEN c.outcome = 'passed' THEN 1 ELSE 0 END) AS passed,
       AVG(CASE WHEN c.nth_last = 1 THEN c.score END) AS score
FROM run_groups g
LEFT JOIN (SELECT run, "group", case_idx, outcome, score,
                  ROW_NUMBER() OVER (PARTITION BY run, "group", variant, case_id ORDER BY case_idx DESC) AS nth_last
           FROM cases
           WHERE "group" IS NOT NULL) c
       ON c.run = g.run AND c."group" = g.name
GROUP BY g.evaluation, g.run, g.place, g.name, g.kind, g.weight
