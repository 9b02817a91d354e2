-- Each case over the repeats: tries with a verdict, and how many passed.
SELECT l.lane, c."group" AS case_group, c.variant, c.case_id,
       COUNT(*) AS n, SUM(CASE WHEN c.passed THEN 1 ELSE 0 END) AS n_passed
FROM cases c
JOIN lanes l ON l.run = c.run
WHERE c.passed IS NOT NULL
GROUP BY l.lane, c."group", c.variant, c.case_id
