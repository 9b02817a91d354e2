//! The workspace as the side bar shows it.

use super::Look;
use crate::format;
use crate::report::{Num, Tree};
use crate::words::ui::shell as words;

/// Writes the scores of `tree` as `look` wants them.
pub fn tree(mut tree: Tree, look: Look) -> Tree {
    let words = |score: Option<Num>| {
        score.map_or_else(|| format::UNKNOWN.to_owned(), |score| look.score(score.0))
    };
    for evaluation in &mut tree.evaluations {
        evaluation.score_words = words(evaluation.score);
        if evaluation.is_declared {
            let is_known = evaluation.score.is_some();
            let score = &evaluation.score_words;
            evaluation.score_words = match is_known {
                true => words::score_declared(score),
                false => words::declared_only(score),
            };
        }
        for run in &mut evaluation.runs {
            if run.score_words.is_empty() || run.score.is_some() {
                run.score_words = words(run.score);
            }
        }
    }
    tree
}
