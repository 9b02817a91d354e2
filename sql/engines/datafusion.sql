-- How DataFusion spells what is not standard. Tables are registered by crates/sql; `{name}` and `{query}` are filled in there.
-- part: view
CREATE VIEW {name} AS {query}
