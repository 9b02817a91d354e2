-- The value of each simple gate in each repeat, and whether it holds. Percentages are 0-100. Of no score the value is 0 where every case
-- ended in an error, and unknown otherwise.
SELECT evaluation, repeat, n, value,
       CASE op WHEN '>' THEN value > threshold WHEN '>=' THEN value >= threshold WHEN '<' THEN value < threshold
               WHEN '<=' THEN value <= threshold WHEN '=' THEN value = threshold END AS passed
FROM (SELECT a.evaluation, a.repeat, COALESCE(g.n, 0) AS n, a.op, a.threshold,
             CASE WHEN COALESCE(g.n, 0) = 0 AND (a.n_cases = 0 OR a.n_attempted > 0) THEN NULL
                  WHEN a.aggregation = 'avg_score' THEN COALESCE(g.mean, 0)
                  WHEN a.aggregation = 'accuracy' THEN COALESCE(g.n_accurate / CAST(g.n AS DOUBLE) * 100, 0)
                  WHEN a.aggregation = 'pass_percent' THEN CASE WHEN a.n_attempted > 0 THEN COALESCE(g.n_passing, 0) / CAST(a.n_attempted AS DOUBLE) * 100 ELSE 0 END
                  WHEN a.aggregation = 'min' THEN COALESCE(g.smallest, 0)
                  WHEN a.aggregation = 'max' THEN COALESCE(g.largest, 0)
                  WHEN a.aggregation = 'percentile' THEN COALESCE(p.percentile, 0) END AS value
      FROM (SELECT e.evaluation, r.repeat, e.gate_aggregation AS aggregation, e.gate_op AS op, e.gate_value AS threshold,
                   COALESCE(SUM(n.n_cases), 0) AS n_cases, COALESCE(SUM(n.n_attempted), 0) AS n_attempted
            FROM evaluations e
            JOIN runs r ON r.evaluation = e.evaluation
            LEFT JOIN run_counts n ON n.run = r.run
            WHERE e.gate_kind = 'simple'
            GROUP BY e.evaluation, r.repeat, e.gate_aggregation, e.gate_op, e.gate_value) a
      LEFT JOIN (SELECT s.evaluation, s.repeat, COUNT(*) AS n, AVG(s.score) AS mean, MIN(s.score) AS smallest, MAX(s.score) AS largest,
                        SUM(CASE WHEN s.score >= e.gate_argument THEN 1 ELSE 0 END) AS n_accurate,
                        SUM(CASE WHEN s.is_attempted AND CASE COALESCE(e.pass_op, '>=')
                                   WHEN '>' THEN s.score > COALESCE(e.pass_value, 1)
                                   WHEN '>=' THEN s.score >= COALESCE(e.pass_value, 1)
                                   WHEN '<' THEN s.score < COALESCE(e.pass_value, 1)
                                   WHEN '<=' THEN s.score <= COALESCE(e.pass_value, 1)
                                   ELSE s.score = COALESCE(e.pass_value, 1) END THEN 1 ELSE 0 END) AS n_passing
                 FROM gate_scores s
                 JOIN evaluations e ON e.evaluation = s.evaluation
                 GROUP BY s.evaluation, s.repeat) g ON g.evaluation = a.evaluation AND g.repeat = a.repeat
      LEFT JOIN gate_percentiles p ON p.evaluation = a.evaluation AND p.repeat = a.repeat) valued
