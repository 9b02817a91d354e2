-- How DuckDB spells what is not standard. `{name}`, `{files}` (a list of texts) and `{query}` are filled in by run.py.
-- part: table
CREATE VIEW {name} AS SELECT * FROM read_parquet({files}, hive_partitioning = false)
-- part: view
CREATE VIEW {name} AS {query}
