-- Cases that stand once in either of two evaluations, by how each came out: n_10 and n_01 are what McNemar's test looks at.
-- set baseline = ''
-- set candidate = ''
SELECT COUNT(*) AS n_pairs,
       SUM(CASE WHEN b.passed AND c.passed THEN 1 ELSE 0 END) AS n_11,
       SUM(CASE WHEN b.passed AND NOT c.passed THEN 1 ELSE 0 END) AS n_10,
       SUM(CASE WHEN NOT b.passed AND c.passed THEN 1 ELSE 0 END) AS n_01,
       SUM(CASE WHEN NOT b.passed AND NOT c.passed THEN 1 ELSE 0 END) AS n_00
FROM (SELECT COALESCE(run_variant, '') AS run_variant, COALESCE("group", '') AS case_group, COALESCE(variant, '') AS variant, case_id,
             MIN(CASE WHEN passed THEN 1 ELSE 0 END) = 1 AS passed
      FROM cases WHERE evaluation = :baseline AND passed IS NOT NULL
      GROUP BY COALESCE(run_variant, ''), COALESCE("group", ''), COALESCE(variant, ''), case_id HAVING COUNT(*) = 1) b
JOIN (SELECT COALESCE(run_variant, '') AS run_variant, COALESCE("group", '') AS case_group, COALESCE(variant, '') AS variant, case_id,
             MIN(CASE WHEN passed THEN 1 ELSE 0 END) = 1 AS passed
      FROM cases WHERE evaluation = :candidate AND passed IS NOT NULL
      GROUP BY COALESCE(run_variant, ''), COALESCE("group", ''), COALESCE(variant, ''), case_id HAVING COUNT(*) = 1) c
  ON c.run_variant = b.run_variant AND c.case_group = b.case_group AND c.variant = b.variant AND c.case_id = b.case_id
