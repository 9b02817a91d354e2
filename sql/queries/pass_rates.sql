-- Pass rate of each run with Wilson's 95 % interval.
SELECT run, passed, total, pass_rate, pass_rate_low, pass_rate_high FROM run_figures WHERE passed IS NOT NULL ORDER BY run
