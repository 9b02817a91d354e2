-- Spread over repeats.
SELECT * FROM spread ORDER BY evaluation
