//! What the list of recent files says of how an opening came out.

use crate::report::{Outcome, Tree};
use crate::words::ui::memory::passed_of;
use crate::words::ui::shell::{SO_FAR, evaluations};

/// How `ids`, which were opened at once, came out: the verdict where they are one evaluation, and the rest in words; the
/// words are empty where nothing is to be said.
pub fn verdict_kept(tree: &Tree, ids: &[u32]) -> (Option<Outcome>, String) {
    let nodes: Vec<_> = tree.evaluations.iter().filter(|node| ids.contains(&node.id)).collect();
    let is_judged = |outcome: Outcome| {
        !matches!(outcome, Outcome::Scored | Outcome::Unscored | Outcome::Skipped)
    };
    if let [only] = nodes.as_slice() {
        let part = only.is_so_far.then(|| SO_FAR.to_owned()).or_else(|| only.in_part.clone());
        let words = part
            .into_iter()
            .chain((!only.score_words.is_empty()).then(|| only.score_words.clone()));
        return (
            Some(only.outcome).filter(|own| is_judged(*own)),
            words.collect::<Vec<_>>().join(", "),
        );
    }
    let judged = nodes.iter().filter(|node| is_judged(node.outcome)).count() as u64;
    let passed = nodes.iter().filter(|node| node.outcome == Outcome::Passed).count() as u64;
    let words = match (nodes.len() as u64, judged) {
        (0, _) => String::new(),
        (n, 0) => evaluations(n),
        (_, judged) => passed_of(passed, judged),
    };
    (None, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::support;

    #[test]
    fn one_evaluation_has_its_verdict_several_are_counted() {
        let mut tree = support::tree(&[(1, "maple"), (2, "oak"), (3, "elm")]);
        for (node, outcome) in
            tree.evaluations.iter_mut().zip([Outcome::Failed, Outcome::Passed, Outcome::Scored])
        {
            (node.outcome, node.score_words) = (outcome, "0.637".to_owned());
        }
        assert_eq!(verdict_kept(&tree, &[1]), (Some(Outcome::Failed), "0.637".to_owned()));
        assert_eq!(verdict_kept(&tree, &[3]), (None, "0.637".to_owned()));
        assert_eq!(verdict_kept(&tree, &[1, 2, 3]), (None, "1 of 2 evaluations passed".to_owned()));
        assert_eq!(verdict_kept(&tree, &[]), (None, String::new()));
        tree.evaluations[1].in_part = Some("in 1 of 3 repeats".to_owned());
        assert_eq!(verdict_kept(&tree, &[2]).1, "in 1 of 3 repeats, 0.637");
    }
}
