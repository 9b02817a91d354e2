-- The mean of the groups' scores of each run, and the same weighted.
SELECT run,
       AVG(score) AS mean_of_groups,
       CASE WHEN SUM(CASE WHEN score IS NOT NULL THEN weight END) > 0
            THEN SUM(weight * score) / SUM(CASE WHEN score IS NOT NULL THEN weight END) END AS weighted
FROM group_figures
GROUP BY run
