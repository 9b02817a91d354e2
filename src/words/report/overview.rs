//! Words: what Overview says of figures.
