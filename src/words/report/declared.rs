//! Words: what is said of figures that files declare.
