//! Words of verdicts: policies, gates, rules in force.
