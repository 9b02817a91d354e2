//! Words: what Cases, Columns and Compare say of figures.
