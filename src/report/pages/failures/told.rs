//! What the files say of a failure: a message, the reason of a check, or which checks failed.

use super::Failing;
use crate::model::Run;
use crate::order::Order as _;
use crate::readers::TextPlace;
use crate::report::pages::cases::is_right;
use crate::words::report::failures as words;
use crate::workspace::Workspace;

/// Reasons that are read one after the other: neighbours in a file come with one read of it.
const N_NEIGHBOURS: u64 = 20;

/// Bytes of a reason that are read.
const REASON_BYTES: u64 = 8 << 10;

/// Names of wrong checks that stand for a message.
const MAX_NAMES: usize = 6;

/// What there is to say of a failure.
pub(super) enum FailureText<'a> {
    /// What the table of cases keeps of its message, which a search finds.
    Message(&'a str),
    /// The start of the reason of a check, out of its file, and the check's name.
    Reason(String, &'a str),
    /// The files say nothing.
    Nothing,
    /// There is a reason, but enough of them have been read.
    Unread,
    /// There was a reason, but its file does not give it any more.
    Gone,
}

/// Whether the `nth` of `n` reasons (from 0 on) is one of the `max_read` that are read: groups of
/// [`N_NEIGHBOURS`], spread evenly over all.
pub(super) fn is_sampled(nth: u64, n: u64, max_read: u64) -> bool {
    let (n_groups, group) = (n.div_ceil(N_NEIGHBOURS), nth / N_NEIGHBOURS);
    let n_read = max_read / N_NEIGHBOURS;
    n <= max_read || (group + 1) * n_read / n_groups > group * n_read / n_groups
}

/// The message of a case, as far as the table keeps it.
pub(super) fn message<'a>(case: &Failing<'a>) -> Option<&'a str> {
    let run: &'a Run = case.of.run;
    run.cases.error_message.get(case.idx).filter(|message| !message.trim().is_empty())
}

/// The check whose reason stands for a message: the first wrong one, else, of those that nobody judged
/// alone, the first with the lowest score.
pub(super) fn reason_at(case: &Failing<'_>) -> Option<usize> {
    let (run, checks) = (case.of.run, &case.of.run.checks);
    let with_reason = || run.checks_of(case.idx).filter(|&at| checks.has_reason(at));
    let unjudged = || with_reason().filter(|&at| is_right(run, at).is_none());
    let score = |at: &usize| checks.score.get(*at).unwrap_or(f64::INFINITY);
    with_reason()
        .find(|&at| is_right(run, at) == Some(false))
        .or_else(|| unjudged().min_by(|left, right| score(left).total_cmp(&score(right))))
}

/// The start of the reason of check `at`, out of its file.
pub(super) fn reason<'a>(case: &Failing<'a>, at: usize, workspace: &Workspace) -> FailureText<'a> {
    let locator = case.of.run.checks.reason_of(at);
    let place = locator.map(|at| TextPlace { at, max_bytes: REASON_BYTES });
    let text = place.and_then(|place| workspace.text(case.of.entry.id, place));
    let check = case.of.run.checks.name.get(at).unwrap_or_default();
    text.map_or(FailureText::Gone, |text| FailureText::Reason(text, check))
}

/// What stands for the shape of a case without any message: `no message; failed: output, status_code`.
pub(super) fn silent(run: &Run, idx: usize) -> String {
    let wrong = run.checks_of(idx).filter(|&at| is_right(run, at) == Some(false));
    let mut names: Vec<&str> = wrong.filter_map(|at| run.checks.name.get(at)).collect();
    // The files' order of attributes means nothing.
    names.order_by(Ord::cmp);
    names.dedup();
    let n_more = names.len().saturating_sub(MAX_NAMES);
    names.truncate(MAX_NAMES);
    match (names.is_empty(), n_more) {
        (true, _) => words::NO_MESSAGE.to_owned(),
        (false, 0) => words::no_message_but(&names.join(", ")),
        (false, _) => words::no_message_but_more(&names.join(", "), n_more),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_READ: u64 = 2_000;

    #[test]
    fn as_many_are_read_as_may_be_and_in_whole_groups() {
        for n in [1, 19, 2_000, 2_001, 2_020, 5_000, 50_000, 1_234_567] {
            let sampled: Vec<u64> = (0..n).filter(|&nth| is_sampled(nth, n, MAX_READ)).collect();
            let n_read = sampled.len() as u64;
            assert!(n_read <= MAX_READ && n_read + N_NEIGHBOURS > n.min(MAX_READ), "{n}: {n_read}");
            let is_whole = |group: &[u64]| group.iter().all(|nth| nth / 20 == group[0] / 20);
            assert!(sampled.chunks(20).all(is_whole), "{n}");
            // No two groups are further apart than an even spread puts them, rounded up.
            let farthest = sampled.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
            assert!(n <= MAX_READ || farthest <= 20 * (n.div_ceil(20).div_ceil(100)), "{n}");
        }
    }
}
