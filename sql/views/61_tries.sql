-- Each case of an evaluation and a subject over the repeats: tries with a verdict, and how many passed.
SELECT r.evaluation, r.subject, r.suite, r.variant AS run_variant, c."group" AS case_group, c.variant, c.case_id,
       COUNT(*) AS n, SUM(CASE WHEN c.passed THEN 1 ELSE 0 END) AS n_passed
FROM cases c
JOIN runs r ON r.run = c.run
WHERE c.passed IS NOT NULL AND r.again IS NULL
GROUP BY r.evaluation, r.subject, r.suite, r.variant, c."group", c.variant, c.case_id
