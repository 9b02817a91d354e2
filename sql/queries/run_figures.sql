-- Every figure of each run.
SELECT * FROM run_figures ORDER BY run
