//! Words of controls and of pages around the figures.

pub mod case;
pub mod cases;
pub mod columns;
pub mod compare;
pub mod hosted;
pub mod memory;
pub mod overview;
pub mod pairs;
pub mod report;
pub mod rules;
pub mod seal;
pub mod shell;
pub mod sql;
pub mod start;
