-- Score of each group of each run.
SELECT * FROM group_figures ORDER BY run, place
