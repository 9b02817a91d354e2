//! Laws of every kind of drawing.
