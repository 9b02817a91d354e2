-- Cost and tokens of each evaluation.
SELECT evaluation, SUM(cost_usd) AS cost_usd, SUM(cost_missing) AS cost_missing, SUM(prompt_tokens) AS prompt_tokens,
       SUM(completion_tokens) AS completion_tokens, SUM(cached_input_tokens) AS cached_input_tokens,
       SUM(cache_write_tokens) AS cache_write_tokens, SUM(reasoning_tokens) AS reasoning_tokens
FROM run_figures GROUP BY evaluation ORDER BY evaluation
