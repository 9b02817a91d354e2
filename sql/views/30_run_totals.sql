-- Counts of each run, with what files declare of cases that are not there. Passed and failed are unknown where no rule says what passes.
SELECT r.run, r.evaluation, r.repeat, r.subject, r.again,
       COALESCE(n.n_cases, 0) AS n_cases,
       COALESCE(n.n_cases, 0) + COALESCE(r.declared_total, 0) AS total,
       COALESCE(n.n_attempted, 0) + COALESCE(r.declared_total, 0) AS attempted,
       CASE WHEN COALESCE(n.n_passed, 0) + COALESCE(n.n_failed, 0) > 0 OR (COALESCE(n.n_scored, 0) = 0 AND e.no_case_rule IS NULL)
                 OR r.declared_total IS NOT NULL
            THEN COALESCE(n.n_passed, 0) + COALESCE(r.declared_passed, 0) END AS passed,
       CASE WHEN COALESCE(n.n_passed, 0) + COALESCE(n.n_failed, 0) > 0 OR (COALESCE(n.n_scored, 0) = 0 AND e.no_case_rule IS NULL)
                 OR r.declared_total IS NOT NULL
            THEN COALESCE(n.n_failed, 0) + COALESCE(r.declared_total, 0) - COALESCE(r.declared_passed, 0) END AS failed,
       COALESCE(n.n_errors, 0) AS errors,
       COALESCE(n.n_skipped, 0) AS skipped,
       COALESCE(n.n_scored, 0) AS scored,
       COALESCE(n.n_unscored, 0) AS unscored
FROM runs r
JOIN evaluations e ON e.evaluation = r.evaluation
LEFT JOIN run_counts n ON n.run = r.run
