-- Passed and all cases of each run by kind; of a run whose cases are not there, as its files declare them.
SELECT run, type AS kind, COUNT(*) AS total, SUM(CASE WHEN outcome = 'passed' THEN 1 ELSE 0 END) AS passed
FROM cases
WHERE type IN ('Core', 'Functionality', 'Regression', 'Error')
GROUP BY run, type
UNION ALL
SELECT run, 'Core', core_total, core_passed FROM runs WHERE declared_total IS NOT NULL AND core_total IS NOT NULL
UNION ALL
SELECT run, 'Functionality', functionality_total, functionality_passed FROM runs WHERE declared_total IS NOT NULL AND functionality_total IS NOT NULL
UNION ALL
SELECT run, 'Regression', regression_total, regression_passed FROM runs WHERE declared_total IS NOT NULL AND regression_total IS NOT NULL
UNION ALL
SELECT run, 'Error', error_kind_total, error_kind_passed FROM runs WHERE declared_total IS NOT NULL AND error_kind_total IS NOT NULL
