//! Words: how runs ended, rules of cases, filter, palette, and what several pages say.
