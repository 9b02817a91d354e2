-- Scores of checks that count for their metric. What could not be judged in one of several attempts says nothing (REBEL).
-- Joined with the few cases that make a difference: those that were not attempted, or attempted several times.
SELECT k.evaluation, k.run, k.case_idx, k.name, k.score, COALESCE(c.is_attempted, TRUE) AS is_attempted
FROM checks k
LEFT JOIN (SELECT run, case_idx, is_attempted, n_attempts FROM case_facts WHERE NOT is_attempted OR n_attempts IS NOT NULL) c
       ON c.run = k.run AND c.case_idx = k.case_idx
WHERE k.score IS NOT NULL AND NOT (c.n_attempts IS NOT NULL AND k.verdict IS NOT NULL AND k.verdict = 'error')
