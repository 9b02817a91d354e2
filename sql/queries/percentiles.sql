-- A percentile of the scores of each run, interpolated between neighbours as numpy.percentile does.
-- set percent = 90
SELECT run, n,
       low + (high - low) * (place - FLOOR(place)) AS percentile
FROM (SELECT run, MAX(n) AS n, MAX(place) AS place,
             MAX(CASE WHEN nth - 1 = FLOOR(place) THEN score END) AS low,
             MAX(CASE WHEN nth - 1 = CEIL(place) THEN score END) AS high
      FROM (SELECT run, score,
                   ROW_NUMBER() OVER (PARTITION BY run ORDER BY score) AS nth,
                   COUNT(*) OVER (PARTITION BY run) AS n,
                   (COUNT(*) OVER (PARTITION BY run) - 1) * (CAST(:percent AS DOUBLE) / 100) AS place
            FROM primary_scores) ranked
      GROUP BY run) neighbours
ORDER BY run
