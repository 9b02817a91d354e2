//! Words of controls and of pages around the figures.

pub mod case;
pub mod cases;
pub mod columns;
pub mod compare;
pub mod compared;
pub mod hosted;
pub mod keys;
pub mod memory;
pub mod overview;
pub mod pairs;
pub mod report;
pub mod rules;
pub mod seal;
pub mod settings;
pub mod shell;
pub mod sql;
pub mod start;
pub mod status;
