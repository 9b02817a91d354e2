-- Scores of each evaluation: the mean over its runs, the same weighted by their numbers of cases, and its pass rate.
SELECT evaluation,
       COUNT(*) AS n_runs,
       SUM(total) AS total,
       SUM(passed) AS passed,
       AVG(COALESCE(weighted, mean_score)) AS mean_of_runs,
       CASE WHEN SUM(CASE WHEN COALESCE(weighted, mean_score) IS NOT NULL THEN total END) > 0
            THEN SUM(COALESCE(weighted, mean_score) * total) / SUM(CASE WHEN COALESCE(weighted, mean_score) IS NOT NULL THEN total END)
            END AS mean_by_cases,
       SUM(cost_usd) AS cost_usd
FROM run_figures
GROUP BY evaluation
