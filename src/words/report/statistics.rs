//! Words: what Statistics and Trends say of figures.
