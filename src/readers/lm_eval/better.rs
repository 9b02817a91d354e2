//! Which way the metrics of a task are better: `higher_is_better` of the aggregate (from 0.4.3 on), else that of the
//! task's own list of metrics.

use super::said;
use crate::model::Better;
use crate::readers::record_value::{items, text};
use serde_json::Value;

/// Which way the values that documents have by `metric` are better; `None`: the file does not say.
pub(super) fn of(results: &Value, task: &str, metric: &str) -> Option<Better> {
    let config = results.get("configs").and_then(|all| all.get(task)).unwrap_or(&Value::Null);
    let listed = items(config, "metric_list").iter();
    let own = listed.into_iter().find(|one| text(one, "metric") == Some(metric));
    let aggregation = own.and_then(|one| said(one.get("aggregation")));
    // What is stated is about the aggregate. A document's own value is a log-likelihood there, the more the better.
    if aggregation.as_deref().unwrap_or(metric).contains("perplexity") {
        return None;
    }
    let of_task = results.get("higher_is_better").and_then(|all| all.get(task));
    let stated = of_task.and_then(|all| all.get(metric)).and_then(Value::as_bool);
    let stated = stated.or_else(|| own?.get("higher_is_better")?.as_bool());
    stated.map(Better::if_higher)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_is_that_of_the_values_of_documents() {
        let results = serde_json::json!({
            "higher_is_better": {"t": {"acc": true, "wer": false, "perplexity": false, "ppl": false}},
            "configs": {
                "t": {"metric_list": [{"metric": "ppl", "aggregation": "perplexity"}]},
                "u": {"metric_list": [{"metric": "ter", "higher_is_better": false}]},
            },
        });
        let found = |task, metric| of(&results, task, metric);
        assert_eq!(found("t", "acc"), Some(Better::More));
        assert_eq!(found("t", "wer"), Some(Better::Less));
        assert_eq!(found("u", "ter"), Some(Better::Less));
        for (task, metric) in [("t", "perplexity"), ("t", "ppl"), ("t", "f1"), ("u", "acc")] {
            assert_eq!(found(task, metric), None, "{metric}");
        }
    }
}
