-- How Spark spells what is not standard. Tables are registered by run.py, which fills in `{name}` and `{query}`.
-- part: session
SET spark.sql.ansi.enabled = true
-- part: session
SET spark.sql.ansi.doubleQuotedIdentifiers = true
-- part: view
CREATE OR REPLACE TEMPORARY VIEW {name} AS {query}
