-- The seven pass policies of each run.
SELECT * FROM run_policies ORDER BY run
