-- Scores of checks that count for their metric. What could not be judged in one of several attempts says nothing (REBEL).
SELECT k.evaluation, k.run, k.case_idx, k.name, k.score, c.is_attempted
FROM checks k
JOIN case_facts c ON c.run = k.run AND c.case_idx = k.case_idx
WHERE k.score IS NOT NULL AND NOT (c.n_attempts IS NOT NULL AND k.verdict IS NOT NULL AND k.verdict = 'error')
