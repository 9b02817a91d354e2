//! What a query can name: tables with their columns, functions; and queries to begin with.

use datafusion::arrow::array::AsArray;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use evalglass_sql::completion::{Names, Table};
use evalglass_sql::queries::{QUERIES, about, filled};
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::JsValue;

/// Tables and views by name, each with its columns.
///
/// # Errors
/// When a table is not there any more.
pub async fn tables(cx: &SessionContext) -> Result<Vec<Table>> {
    let mut found = Vec::new();
    let schema = cx.catalog("datafusion").and_then(|catalog| catalog.schema("public"));
    for name in schema.map(|schema| schema.table_names()).unwrap_or_default() {
        let table = cx.table_provider(name.as_str()).await?;
        let columns = table.schema().fields().iter().map(|field| field.name().clone()).collect();
        found.push(Table { name, columns });
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

/// Names of functions.
pub fn functions(cx: &SessionContext) -> Vec<String> {
    let state = cx.state();
    let mut names: Vec<String> = state.scalar_functions().keys().cloned().collect();
    names.extend(state.aggregate_functions().keys().cloned());
    names.extend(state.window_functions().keys().cloned());
    names.sort();
    names.dedup();
    names
}

/// The queries to begin with: name, what it answers, text. Two of the evaluations stand where one has to be named.
///
/// # Errors
/// When the table of evaluations cannot be read.
pub async fn queries(cx: &SessionContext) -> Result<Vec<[String; 3]>> {
    let text = "SELECT evaluation AS id FROM evaluations ORDER BY evaluation LIMIT 2";
    let mut ids = Vec::new();
    for batch in cx.sql(text).await?.collect().await? {
        let column = cast(batch.column(0), &DataType::Utf8)?;
        ids.extend(column.as_string::<i32>().iter().flatten().map(str::to_owned));
    }
    let ready = |(name, query): &(&str, &str)| {
        [(*name).to_owned(), about(query).to_owned(), filled(query, &ids)]
    };
    Ok(QUERIES.iter().map(ready).collect())
}

/// All of it as the page takes it.
///
/// # Errors
/// Never, as far as is known.
pub fn to_js(names: &Names, queries: &[[String; 3]]) -> std::result::Result<JsValue, JsValue> {
    let list =
        |names: &[String]| names.iter().map(|name| JsValue::from_str(name)).collect::<Array>();
    let all = Array::new();
    for Table { name, columns } in &names.tables {
        let table = Object::new();
        Reflect::set(&table, &"name".into(), &name.as_str().into())?;
        Reflect::set(&table, &"columns".into(), &list(columns))?;
        all.push(&table);
    }
    let names = Object::new();
    Reflect::set(&names, &"tables".into(), &all)?;
    Reflect::set(
        &names,
        &"queries".into(),
        &queries.iter().map(|query| list(query)).collect::<Array>(),
    )?;
    Ok(names.into())
}
