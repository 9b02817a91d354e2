-- Runs of the same subject on the same part of the same suite, which are tries at the same cases: one number for all of them.
SELECT run, evaluation, subject, DENSE_RANK() OVER (ORDER BY evaluation, subject, suite, variant) AS lane
FROM runs
WHERE again IS NULL
