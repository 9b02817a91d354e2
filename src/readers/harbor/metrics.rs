//! Harbor's own formulas over the trials of one agent, model and dataset.

use super::trial::HarborTrial;
use std::collections::BTreeMap;

/// The metric called `name` over all trials of a group; a trial without a reward counts 0. `None`: it is not one of
/// Harbor's own, or rewards are such that Harbor refuses.
pub(super) fn metric(name: &str, trials: &[&HarborTrial]) -> Option<f64> {
    let is_reward = |key: &str| {
        trials.iter().any(|trial| trial.rewards.iter().flatten().any(|(own, _)| own == key))
    };
    let values: Vec<f64> = match name {
        "mean" | "sum" | "min" | "max" if !is_reward(name) => {
            trials.iter().map(|trial| sole(trial)).collect::<Option<_>>()?
        }
        key if is_reward(key) => trials.iter().map(|trial| of_key(trial, key)).collect(),
        _ => return None,
    };
    let sum = || values.iter().sum::<f64>();
    #[expect(clippy::cast_precision_loss, reason = "counts of trials stay far below 2^53")]
    let n_values = values.len() as f64;
    match name {
        _ if values.is_empty() => None,
        "sum" => Some(sum()),
        "min" => values.iter().copied().reduce(f64::min),
        "max" => values.iter().copied().reduce(f64::max),
        _ => Some(sum() / n_values),
    }
}

/// The only reward, or the one called `reward`; 0 where there is none.
fn sole(trial: &HarborTrial) -> Option<f64> {
    match trial.rewards.as_deref() {
        None => Some(0.0),
        Some([(_, value)]) => Some(*value),
        Some(several) => several.iter().find(|(key, _)| key == "reward").map(|(_, value)| *value),
    }
}

fn of_key(trial: &HarborTrial, key: &str) -> f64 {
    let rewards = trial.rewards.iter().flatten();
    rewards.filter(|(own, _)| own == key).map(|(_, value)| *value).next().unwrap_or(0.0)
}

/// Harbor's pass@k: the mean over tasks; `None` where a trial has several rewards or one that is neither 0 nor 1, or
/// a task has fewer than `k` trials.
pub(super) fn pass_at_k(k: u32, trials: &[&HarborTrial]) -> Option<f64> {
    let mut tasks: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for trial in trials {
        let value = match trial.rewards.as_deref() {
            None => 0.0,
            Some([(_, value)]) if *value == 0.0 || *value == 1.0 => *value,
            Some(_) => return None,
        };
        let (n_trials, n_passed) = tasks.entry(&trial.task).or_default();
        *n_trials += 1;
        *n_passed += u32::from(value == 1.0);
    }
    pass_at_k_over(k, tasks.into_values())
}

/// The mean of pass@k over tasks with their trials and how many of them passed; `None` where a task has too few.
pub(super) fn pass_at_k_over(k: u32, tasks: impl Iterator<Item = (u32, u32)>) -> Option<f64> {
    let (mut sum, mut n_tasks) = (0.0, 0_u32);
    for (n_trials, n_passed) in tasks {
        if n_trials < k {
            return None;
        }
        sum += of_task(n_trials, n_passed, k);
        n_tasks += 1;
    }
    (n_tasks > 0).then(|| sum / f64::from(n_tasks))
}

fn of_task(n_trials: u32, n_passed: u32, k: u32) -> f64 {
    let n_failed = n_trials.saturating_sub(n_passed);
    if n_failed < k {
        return 1.0;
    }
    let part = |i: u32| f64::from(n_failed - i) / f64::from(n_trials - i);
    1.0 - (0..k).map(part).product::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(task: &str, rewards: Option<&[(&str, f64)]>) -> HarborTrial {
        let own = |all: &[(&str, f64)]| all.iter().map(|(k, v)| ((*k).to_owned(), *v)).collect();
        HarborTrial { task: task.to_owned(), rewards: rewards.map(own), ..HarborTrial::default() }
    }

    #[test]
    fn a_trial_without_a_reward_counts_zero() {
        let all = [trial("a", Some(&[("reward", 1.0)])), trial("b", None)];
        let all: Vec<&HarborTrial> = all.iter().collect();
        assert_eq!(metric("mean", &all), Some(0.5));
        assert_eq!(metric("reward", &all), Some(0.5));
        assert_eq!((metric("sum", &all), metric("min", &all)), (Some(1.0), Some(0.0)));
        assert_eq!((metric("max", &all), metric("f1", &all)), (Some(1.0), None));
        assert_eq!(metric("mean", &[]), None);
    }

    #[test]
    fn of_several_rewards_the_one_called_reward_counts() {
        let both = trial("a", Some(&[("speed", 3.0), ("reward", 0.5)]));
        let none = trial("a", Some(&[("speed", 3.0), ("size", 0.5)]));
        assert_eq!(metric("mean", &[&both]), Some(0.5));
        assert_eq!(metric("mean", &[&none]), None);
        assert_eq!(metric("speed", &[&both, &none]), Some(3.0));
    }

    #[test]
    fn pass_at_k_is_the_unbiased_estimate() {
        let yes = || trial("a", Some(&[("reward", 1.0)]));
        let no = |task: &str| trial(task, Some(&[("reward", 0.0)]));
        let all = [yes(), no("a"), no("b"), no("b")];
        let all: Vec<&HarborTrial> = all.iter().collect();
        assert_eq!((pass_at_k(1, &all), pass_at_k(2, &all)), (Some(0.25), Some(0.5)));
        assert_eq!(pass_at_k(3, &all), None, "too few trials");
        let half = trial("a", Some(&[("reward", 0.5)]));
        assert_eq!(pass_at_k(1, &[&half]), None, "neither 0 nor 1");
        assert_eq!(of_task(4, 1, 2), 0.5);
    }
}
