//! Declared figures as the measures of trends and charts.

use super::sheet::DeclaredPart;
use crate::report::interval95::Interval95;
use crate::report::measure::{MeasuredValue, share};
use crate::report::{Measure, Num};
use crate::stats;
use crate::words::report::declared as words;
use crate::workspace::Entry;

/// `measure` of a part; its note says that it is declared.
pub(in crate::report) fn measured(part: &DeclaredPart, measure: Measure) -> Option<MeasuredValue> {
    let plain = |value: Num, what: &str| MeasuredValue {
        value: value.0,
        interval: Interval95::Undefined,
        note: if what.is_empty() {
            words::DECLARED.to_owned()
        } else {
            words::declared_value(what)
        },
    };
    let found = match measure {
        Measure::Score => plain(part.main_score()?, part.main_score_words()),
        Measure::PassRate => match part.passing().and_then(|(passed, all)| share(passed, all)) {
            // Of checkpoints the rate is the mean of theirs, whatever their sums give.
            Some(found) if part.counts.pass_rate.is_none() => {
                MeasuredValue { note: words::declared_value(&found.note), ..found }
            }
            _ => plain(part.counts.pass_rate?, ""),
        },
        Measure::Cost => {
            let is_whole = part.usage.cost_missing.is_none_or(|missing| missing.0 == 0.0);
            plain(part.usage.cost_usd.filter(|_| is_whole)?, "")
        }
        Measure::Tokens => {
            let tokens = [part.usage.prompt_tokens, part.usage.completion_tokens];
            let known: Vec<f64> = tokens.into_iter().flatten().map(|number| number.0).collect();
            plain(Num(stats::sum((!known.is_empty()).then_some(known)?)), "")
        }
        Measure::Time | Measure::AgentTime => plain(part.timing.agent_secs?, ""),
        Measure::TestTime => return None,
        Measure::Errors => {
            let unfinished = || Some(Num(part.counts.total?.0 - part.counts.attempted?.0));
            plain(part.counts.error.or_else(unfinished)?, "")
        }
    };
    found.value.is_finite().then_some(found)
}

/// The score that stands for an evaluation without cases: of all together, or of its only subject.
pub(in crate::report) fn score_of(entry: &Entry) -> Option<Num> {
    if !entry.is_declared_only() {
        return None;
    }
    let sheet = entry.declared();
    let of_all = || sheet.whole()?.main_score();
    of_all().or_else(|| match sheet.subjects().as_slice() {
        [only] => only.main_score(),
        _ => {
            let mut repeats = sheet.repeats();
            let only = repeats.next().filter(|_| repeats.next().is_none())?;
            only.main_score()
        }
    })
}
