-- Median and 95th percentile of the cases' seconds: sorted[n // 2] and sorted[min(floor(0.95 n), n - 1)].
SELECT run,
       MAX(CASE WHEN nth - 1 = FLOOR(n / CAST(2 AS DOUBLE)) THEN duration END) AS p50_secs,
       MAX(CASE WHEN nth - 1 = FLOOR(CAST(0.95 AS DOUBLE) * n) THEN duration END) AS p95_secs
FROM (SELECT run, duration,
             ROW_NUMBER() OVER (PARTITION BY run ORDER BY duration) AS nth,
             COUNT(*) OVER (PARTITION BY run) AS n
      FROM cases
      WHERE duration IS NOT NULL) ranked
GROUP BY run
