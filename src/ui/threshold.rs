//! The pass rule between its field, its choice of an operator, and its slider.

use crate::report::{OPERATORS, Threshold, ThresholdCount};
use crate::words::ui::rules as words;

/// The operator that a number alone stands for.
pub const AT_LEAST: &str = ">=";

/// Signs that are easier to read than to type.
const SIGNS: [(&str, &str); 3] = [(">=", "≥"), ("<=", "≤"), ("=", "==")];

/// The operator that `text` begins with, as it is typed, and what follows.
pub fn split(text: &str) -> (&'static str, &str) {
    let text = text.trim();
    let begins = |sign: &str| text.strip_prefix(sign).map(str::trim);
    for (op, sign) in SIGNS {
        if let Some(rest) = begins(sign) {
            return (op, rest);
        }
    }
    for op in OPERATORS {
        if let Some(rest) = begins(op) {
            return (op, rest);
        }
    }
    (AT_LEAST, text)
}

/// The rule that `typed` means beside the operator `op`: it may bring its own. Nothing is no rule.
pub fn joined(op: &str, typed: &str) -> String {
    let typed = typed.trim();
    let has_own = typed.starts_with(['<', '>', '=', '≥', '≤']);
    match typed {
        "" => String::new(),
        typed if has_own => typed.to_owned(),
        typed => format!("{op} {typed}"),
    }
}

/// The sign of an operator: `≥`.
pub fn sign(op: &'static str) -> &'static str {
    let known = SIGNS.iter().find(|(plain, sign)| *plain == op && *sign != "==");
    known.map_or(op, |(_, sign)| sign)
}

/// Where the slider stands for `rule`: in the middle when that names no number.
pub fn position(rule: &str, span: &Threshold) -> f64 {
    let value = split(rule).1.parse().ok().filter(|value: &f64| value.is_finite());
    value.map_or((span.low + span.high) / 2.0, |value| value.clamp(span.low, span.high))
}

/// A value of the slider with as many decimals as its step has.
pub fn written(value: f64, span: &Threshold) -> String {
    let decimals = (-span.step.log10().floor()).max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches('-').bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        return text.trim_start_matches('-').to_owned();
    }
    text
}

/// What a rule would give, in words: `14 of 25 cases and 2 of 5 checkpoints pass`.
pub fn counted(found: &ThresholdCount) -> String {
    let ThresholdCount { n_passed, n_cases, n_runs_passed, n_runs } = *found;
    match n_runs {
        0 => words::pass(n_passed, n_cases),
        _ => words::pass_with_checkpoints((n_passed, n_cases), (n_runs_passed, n_runs)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Threshold = Threshold { low: 0.0, high: 1.0, step: 0.01 };

    #[test]
    fn a_rule_is_an_operator_and_the_rest() {
        for (text, op, rest) in [
            (">= 0.5", ">=", "0.5"),
            (" ≤0.25 ", "<=", "0.25"),
            ("> 1", ">", "1"),
            ("== 1", "=", "1"),
            ("= 1", "=", "1"),
            ("0.8", ">=", "0.8"),
            ("half", ">=", "half"),
            ("", ">=", ""),
        ] {
            assert_eq!(split(text), (op, rest), "{text}");
        }
        assert_eq!(OPERATORS.map(sign), ["≥", ">", "≤", "<", "="]);
    }

    #[test]
    fn what_is_typed_may_bring_its_operator() {
        assert_eq!(joined("<", " 0.5 "), "< 0.5");
        assert_eq!(joined("<", ">= 0.5"), ">= 0.5");
        assert_eq!(joined("<", "≥0.5"), "≥0.5");
        assert_eq!(joined("<", "half"), "< half");
        assert_eq!(joined("<", " "), "");
    }

    #[test]
    fn the_slider_stands_where_the_rule_says() {
        for (rule, at) in [(">= 0.8", 0.8), ("> 7", 1.0), ("", 0.5), ("half", 0.5), ("= NaN", 0.5)]
        {
            assert!((position(rule, &SPAN) - at).abs() < 1e-9, "{rule}");
        }
        assert_eq!(written(0.1 + 0.2, &SPAN), "0.30");
        assert_eq!(written(-0.001, &SPAN), "0.00");
        assert_eq!(written(37.0, &Threshold { low: 0.0, high: 940.0, step: 10.0 }), "37");
        assert_eq!(written(0.35, &Threshold { low: 0.0, high: 5.0, step: 0.05 }), "0.35");
    }

    #[test]
    fn counts_are_said_in_words() {
        let found = ThresholdCount { n_passed: 1400, n_cases: 2500, n_runs_passed: 0, n_runs: 0 };
        assert_eq!(counted(&found), "1,400 of 2,500 cases pass");
        let found = ThresholdCount { n_runs_passed: 2, n_runs: 5, n_passed: 1, n_cases: 1 };
        assert_eq!(counted(&found), "1 of 1 case and 2 of 5 checkpoints pass");
    }
}
