-- Wilson's 95 % interval of the pass rate of each run: its ends are exactly 0 and 1 where none or all pass.
SELECT run,
       CASE WHEN passed = 0 THEN CAST(0 AS DOUBLE) ELSE centre - half END AS low,
       CASE WHEN passed = total THEN CAST(1 AS DOUBLE) ELSE centre + half END AS high
FROM (SELECT run, passed, total,
             (rate + z * z / (2 * n)) / (1 + z * z / n) AS centre,
             z / (1 + z * z / n) * SQRT(rate * (1 - rate) / n + z * z / (4 * n * n)) AS half
      FROM (SELECT run, passed, total,
                   CAST(total AS DOUBLE) AS n,
                   CAST(passed AS DOUBLE) / CAST(total AS DOUBLE) AS rate,
                   CAST(1.959963984540054 AS DOUBLE) AS z
            FROM run_totals
            WHERE total > 0 AND passed IS NOT NULL) rates) intervals
