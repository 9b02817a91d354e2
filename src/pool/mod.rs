//! The readers as programs of their own: what is said to them, and what they answer.
//!
//! `message` carries jobs and results as bytes with the sources beside them.

pub mod message;
