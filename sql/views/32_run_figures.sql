-- Every figure of each run, from its cases and checks.
SELECT t.run, t.evaluation, t.repeat, t.subject,
       t.total, t.attempted, t.passed, t.failed, t.errors, t.skipped, t.scored, t.unscored,
       CASE WHEN s.n_scores > 0 THEN s.sum_score / s.n_scores ELSE e.empty_mean END AS mean_score,
       CASE WHEN s.n_scores > 0 AND t.n_cases > 0 THEN s.sum_score / t.n_cases ELSE e.empty_mean END AS mean_total,
       COALESCE(s.n_scores, 0) AS n_scores,
       s.score_std,
       CASE WHEN e.has_policies THEN g.mean_of_groups END AS mean_of_groups,
       CASE WHEN e.has_policies THEN g.weighted END AS weighted,
       CASE WHEN t.total > 0 THEN CAST(t.passed AS DOUBLE) / t.total END AS pass_rate,
       w.low AS pass_rate_low,
       w.high AS pass_rate_high,
       CASE WHEN e.has_reward THEN COALESCE(u.reward, e.empty_mean) END AS reward,
       CASE WHEN u.prompt_tokens IS NOT NULL OR r.own_prompt_tokens IS NOT NULL
            THEN COALESCE(u.prompt_tokens, 0) + COALESCE(r.own_prompt_tokens, 0) END AS prompt_tokens,
       CASE WHEN u.completion_tokens IS NOT NULL OR r.own_completion_tokens IS NOT NULL
            THEN COALESCE(u.completion_tokens, 0) + COALESCE(r.own_completion_tokens, 0) END AS completion_tokens,
       CASE WHEN u.cached_input_tokens IS NOT NULL OR r.own_cached_input_tokens IS NOT NULL
            THEN COALESCE(u.cached_input_tokens, 0) + COALESCE(r.own_cached_input_tokens, 0) END AS cached_input_tokens,
       CASE WHEN u.cache_write_tokens IS NOT NULL OR r.own_cache_write_tokens IS NOT NULL
            THEN COALESCE(u.cache_write_tokens, 0) + COALESCE(r.own_cache_write_tokens, 0) END AS cache_write_tokens,
       CASE WHEN u.reasoning_tokens IS NOT NULL OR r.own_reasoning_tokens IS NOT NULL
            THEN COALESCE(u.reasoning_tokens, 0) + COALESCE(r.own_reasoning_tokens, 0) END AS reasoning_tokens,
       CASE WHEN u.cost_usd IS NOT NULL OR r.own_cost_usd IS NOT NULL
            THEN COALESCE(u.cost_usd, 0) + COALESCE(r.own_cost_usd, 0) END AS cost_usd,
       CASE WHEN e.has_costs THEN COALESCE(u.n_unpriced, 0) ELSE 0 END AS cost_missing,
       u.mean_secs, d.p50_secs, d.p95_secs
FROM run_totals t
JOIN runs r ON r.run = t.run
JOIN evaluations e ON e.evaluation = t.evaluation
LEFT JOIN run_scores s ON s.run = t.run
LEFT JOIN run_groups_mean g ON g.run = t.run
LEFT JOIN run_usage u ON u.run = t.run
LEFT JOIN run_seconds d ON d.run = t.run
LEFT JOIN run_wilson w ON w.run = t.run
