-- Cases of each run by outcome.
SELECT run,
       COUNT(*) AS n_cases,
       SUM(CASE WHEN is_attempted THEN 1 ELSE 0 END) AS n_attempted,
       SUM(CASE WHEN outcome = 'passed' THEN 1 ELSE 0 END) AS n_passed,
       SUM(CASE WHEN outcome = 'failed' THEN 1 ELSE 0 END) AS n_failed,
       SUM(CASE WHEN outcome = 'error' THEN 1 ELSE 0 END) AS n_errors,
       SUM(CASE WHEN outcome = 'skipped' THEN 1 ELSE 0 END) AS n_skipped,
       SUM(CASE WHEN outcome = 'scored' THEN 1 ELSE 0 END) AS n_scored,
       SUM(CASE WHEN outcome = 'unscored' THEN 1 ELSE 0 END) AS n_unscored
FROM case_facts
GROUP BY run
