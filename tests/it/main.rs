//! All native tests, as one program.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test fails by panicking, and its names are its documentation"
)]

// Tampered copies of every fixture.
mod audit;
// Order and number of drops change nothing.
mod any_order;
// What an overview shows around its verdict.
mod board;
// A case read with the files alone that the page hands over.
mod one_case;
// What is said of tools without weights, checkpoints, verdicts.
mod other_tools;
// What readers send, through a message and back.
mod travels;
// Numbers of charts, their filters, what is drawn of them.
mod charts;
// What is said about broken files.
mod bad_files;
// Comparing two sides or more: known answers, laws, coverage, fixtures.
mod columns;
mod compare;
// Failures by place, by cause, by the shape of their message.
mod failures;
// Edges between modules, names of browser crates, file headers.
mod architecture;
// The exported report against its schema.
mod export;
// The table of cases: filters, facets, order, heat map, search, markup.
mod grid;
// Streams of agents, changes, prompts, findings: what belongs to a run beyond its cases.
mod documents;
// README, guide, ARCHITECTURE: links, and the files that they name.
mod docs;
// The gallery's schema, and what scripts and crate both know.
mod hosting;
// How a score was made: terms that add up to it.
mod how;
// Seeded damage to every fixture.
mod hostile;
mod hostile_rules;
// Splitting, outlines, unwrapping, the JSON cursor.
mod input;
// The examples of the three guides, made into folders.
mod guides;
// Every value of every `expected.json` of Inspect AI, and broken logs.
mod inspect_ai;
// Our own exports, opened again: the same pages.
mod kept;
// promptfoo against what it computes itself, in all its forms.
mod promptfoo;
// CTRF reports against what the runners report themselves.
mod ctrf;
// Reports of pytest-json-report against what pytest reports itself.
mod pytest_json_report;
// Inputs that fuzzing has kept; the targets are those of `make fuzz`.
mod fuzzed;
#[path = "../../fuzz/targets/mod.rs"]
mod targets;
// What a pipeline stops on.
mod gates;
// JUnit XML of several runners against what they report themselves.
mod junit;
// Datasets: what is in them, in any order of adding, after damage, beside other writers.
mod dataset;
// Datasets opened again: figures without the cases, cases by their parts, damage.
mod dataset_opened;
// DeepEval against its own values: copies of a run, cut and broken files.
mod deepeval;
// Every value of every `expected.json` of letta-evals, its folders under other names, damage.
mod letta_evals;
// What the worker draws is made of our own elements.
mod markup;
// Folders of more files than a program may have open.
mod many_files;
// What is kept of small files while they are opened.
mod read_again;
// A case as it is read: hostile texts, great sizes, every fixture.
mod reading;
// Addresses in other sessions, and of older versions.
mod links;
// Every value that HELM and Every Eval Ever state, and their odd files.
mod every_eval_ever;
mod helm;
// Harbor's jobs, loose trajectories, Terminal-Bench's runs.
mod harbor;
// Every value that lighteval states, and its odd files.
mod lighteval;
// Every value that lm-evaluation-harness states, and its odd files.
mod lm_eval;
// OpenAI evals against its own values: a crash, several runs in one log.
mod openai_evals;
// SWE-bench against its own values: statuses, lists, logs without a run report.
mod swebench;
// Any table: forms, roles, mapping files, broken ones.
mod table;
// SQLite and Arrow IPC.
mod table_binary;
// The registry against fixtures and documents.
mod registry;

mod pool;
// Files that grow while they are open.
mod reload;
// JavaScript, markup put in as text, words in `data-*`: no more than there is.
mod shipped;
// Every value of every `expected.json` of REBEL, and its odd cases.
mod rebel;
// Rules of the page's reader: policies, weights, gates, strategies, thresholds, flips.
mod rules;
// The page about them as it is drawn, and the gate that is edited there.
mod rules_page;
// Every value of every `expected.json` of slop-code, and its odd cases.
mod slop_code;
// Numbers: slow oracles, laws, and how often intervals cover.
mod stats;
// Repeats, chances in k trials, usage, run directories as the page shows them.
mod statistics;
// What pages say of unfinished runs, files that hold nothing, cases with a surprising score.
mod sentences;
// Large files read in stretches, side by side: the same as in one go.
mod stretches;
// Sealed reports: the block, what was taken out, the view.
mod sealed;
// What the engine of the SQL page is given.
mod sql_files;
mod support;
// Repeated trials, matched over runs and attempts.
mod trials;
// Texts of the page, and where they stand.
mod words;
