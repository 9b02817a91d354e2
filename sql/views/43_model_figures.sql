-- Figures of each model or agent over everything that it ran.
SELECT subject,
       COUNT(*) AS n_runs,
       SUM(total) AS total,
       SUM(passed) AS passed,
       AVG(COALESCE(weighted, mean_score)) AS mean_of_runs,
       SUM(cost_usd) AS cost_usd,
       SUM(prompt_tokens) AS prompt_tokens,
       SUM(completion_tokens) AS completion_tokens
FROM run_figures
WHERE subject IS NOT NULL
GROUP BY subject
