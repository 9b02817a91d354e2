-- Tokens, cost, rewards and seconds of the cases of each run.
SELECT run,
       SUM(prompt_tokens) AS prompt_tokens,
       SUM(completion_tokens) AS completion_tokens,
       SUM(cached_input_tokens) AS cached_input_tokens,
       SUM(cache_write_tokens) AS cache_write_tokens,
       SUM(reasoning_tokens) AS reasoning_tokens,
       SUM(cost_usd) AS cost_usd,
       SUM(CASE WHEN cost_usd IS NULL AND COALESCE(prompt_tokens, 0) + COALESCE(completion_tokens, 0) > 0 THEN 1 ELSE 0 END) AS n_unpriced,
       AVG(CASE WHEN is_attempted THEN reward END) AS reward,
       AVG(duration) AS mean_secs
FROM case_facts
GROUP BY run
