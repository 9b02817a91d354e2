-- Cases of each evaluation by outcome.
SELECT evaluation, SUM(total) AS total, SUM(attempted) AS attempted, SUM(passed) AS passed, SUM(failed) AS failed, SUM(errors) AS errors,
       SUM(skipped) AS skipped, SUM(scored) AS scored, SUM(unscored) AS unscored
FROM run_totals GROUP BY evaluation ORDER BY evaluation
