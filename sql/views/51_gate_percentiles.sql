-- The percentile that a gate asks for, interpolated between neighbours as numpy.percentile does.
SELECT evaluation, repeat,
       MAX(CASE WHEN nth - 1 = FLOOR(place) THEN score END)
         + (MAX(CASE WHEN nth - 1 = CEIL(place) THEN score END) - MAX(CASE WHEN nth - 1 = FLOOR(place) THEN score END))
         * (MAX(place) - FLOOR(MAX(place))) AS percentile
FROM (SELECT s.evaluation, s.repeat, s.score,
             ROW_NUMBER() OVER (PARTITION BY s.evaluation, s.repeat ORDER BY s.score) AS nth,
             (COUNT(*) OVER (PARTITION BY s.evaluation, s.repeat) - 1) * (e.gate_argument / 100) AS place
      FROM gate_scores s
      JOIN evaluations e ON e.evaluation = s.evaluation
      WHERE e.gate_aggregation = 'percentile') ranked
GROUP BY evaluation, repeat
