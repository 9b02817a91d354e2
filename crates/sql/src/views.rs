//! The views of `sql/views`, those that others need first. `tests/sql` compares the list with the folder.

/// Name and query of each view.
pub const VIEWS: [(&str, &str); 25] = [
    ("case_facts", include_str!("../../../sql/views/10_case_facts.sql")),
    ("run_counts", include_str!("../../../sql/views/20_run_counts.sql")),
    ("metric_scores", include_str!("../../../sql/views/21_metric_scores.sql")),
    ("primary_scores", include_str!("../../../sql/views/22_primary_scores.sql")),
    ("run_scores", include_str!("../../../sql/views/23_run_scores.sql")),
    ("run_usage", include_str!("../../../sql/views/24_run_usage.sql")),
    ("run_seconds", include_str!("../../../sql/views/25_run_seconds.sql")),
    ("group_figures", include_str!("../../../sql/views/26_group_figures.sql")),
    ("run_groups_mean", include_str!("../../../sql/views/27_run_groups_mean.sql")),
    ("kind_counts", include_str!("../../../sql/views/28_kind_counts.sql")),
    ("run_policies", include_str!("../../../sql/views/29_run_policies.sql")),
    ("run_totals", include_str!("../../../sql/views/30_run_totals.sql")),
    ("run_wilson", include_str!("../../../sql/views/31_run_wilson.sql")),
    ("run_figures", include_str!("../../../sql/views/32_run_figures.sql")),
    ("metric_figures", include_str!("../../../sql/views/33_metric_figures.sql")),
    ("repeat_figures", include_str!("../../../sql/views/40_repeat_figures.sql")),
    ("spread", include_str!("../../../sql/views/41_spread.sql")),
    ("evaluation_figures", include_str!("../../../sql/views/42_evaluation_figures.sql")),
    ("model_figures", include_str!("../../../sql/views/43_model_figures.sql")),
    ("gate_scores", include_str!("../../../sql/views/50_gate_scores.sql")),
    ("gate_percentiles", include_str!("../../../sql/views/51_gate_percentiles.sql")),
    ("gate_figures", include_str!("../../../sql/views/52_gate_figures.sql")),
    ("numbers", include_str!("../../../sql/views/60_numbers.sql")),
    ("lanes", include_str!("../../../sql/views/61_lanes.sql")),
    ("tries", include_str!("../../../sql/views/62_tries.sql")),
];

/// The statements that DataFusion takes.
pub const SPELLING: &str = include_str!("../../../sql/engines/datafusion.sql");
