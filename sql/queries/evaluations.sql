-- Scores of each evaluation, over runs and over cases.
SELECT * FROM evaluation_figures ORDER BY evaluation
