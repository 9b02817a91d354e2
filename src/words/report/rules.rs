//! Words: what Policies & gates and changes of rules say.
