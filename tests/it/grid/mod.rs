//! The table of cases: filters, facets, order, heat map, search through files, texts, markup.

mod big;
mod drawn;
mod language;
mod oracle;
mod query;
mod search;
mod texts;
