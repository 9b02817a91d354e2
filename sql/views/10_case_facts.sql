-- Cases, with whether each counts as attempted: as its producer says, else when it neither ended in an error nor was skipped.
SELECT c.*, COALESCE(c.attempted, c.outcome NOT IN ('error', 'skipped')) AS is_attempted
FROM cases c
