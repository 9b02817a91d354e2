-- Each model or agent over everything that it ran.
SELECT * FROM model_figures ORDER BY subject
