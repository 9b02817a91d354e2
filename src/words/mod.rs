//! Every heading, label and sentence of the page, by area and by what it is for: nothing else holds text of ours that people read.
//!
//! A name is the key of its text. What goes into a sentence is given as numbers and words, never as a type from above: a
//! translation of the page replaces this folder and nothing else. Errors of readers stay beside what raises them
//! (`thiserror`), and names that a file or a tool gives are not ours.

pub mod chart;
pub mod figures;
pub mod reading;
pub mod report;
pub mod terms;
pub mod ui;
