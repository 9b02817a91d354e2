//! Numbers as SVG: scales, ticks, layout and one file per kind of chart. Knows nothing of runs.
