-- The seven pass policies of each run that is judged by them. After an infrastructure failure none holds. Of cases without groups no
-- kind is known, and none is judged.
SELECT run,
       NOT failed AND passed > 0 AS "any",
       NOT failed AND passed > 0 AS any_case,
       NOT failed AND passed = total AS all_cases,
       NOT failed AND passed - error_passed = total - error_total AS all_non_error_cases,
       NOT failed AND core_passed = core_total AS core_cases,
       NOT failed AND core_passed > 0 AS any_core_cases,
       NOT failed AND core_passed = core_total AS all_core_cases
FROM (SELECT r.run,
             COALESCE(r.is_infrastructure_failure, FALSE) AS failed,
             COALESCE(SUM(k.total), 0) AS total,
             COALESCE(SUM(k.passed), 0) AS passed,
             COALESCE(SUM(CASE WHEN k.kind = 'Core' THEN k.total END), 0) AS core_total,
             COALESCE(SUM(CASE WHEN k.kind = 'Core' THEN k.passed END), 0) AS core_passed,
             COALESCE(SUM(CASE WHEN k.kind = 'Error' THEN k.total END), 0) AS error_total,
             COALESCE(SUM(CASE WHEN k.kind = 'Error' THEN k.passed END), 0) AS error_passed
      FROM runs r
      JOIN evaluations e ON e.evaluation = r.evaluation
      LEFT JOIN kind_counts k ON k.run = r.run
      LEFT JOIN run_counts n ON n.run = r.run
      LEFT JOIN (SELECT DISTINCT run FROM run_groups) g ON g.run = r.run
      WHERE e.has_policies
        AND (r.ended IS NULL OR n.n_cases > 0 OR k.kind IS NOT NULL OR COALESCE(r.is_infrastructure_failure, FALSE))
        AND (n.n_cases IS NULL OR k.kind IS NOT NULL OR g.run IS NOT NULL)
      GROUP BY r.run, COALESCE(r.is_infrastructure_failure, FALSE)) counted
