//! Words: titles, axes and captions of charts.
