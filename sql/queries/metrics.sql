-- Scores of each metric of each run.
SELECT * FROM metric_figures ORDER BY run, place
