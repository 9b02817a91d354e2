//! Words: how a figure was made.
