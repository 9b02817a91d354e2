-- Figures of each repeat.
SELECT * FROM repeat_figures ORDER BY evaluation, repeat
