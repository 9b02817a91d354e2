//! What the rules in force change, as CSV and as members of the report.

use super::report_json::num;
use crate::report::{Flip, Num, Workspace, flips};
use serde_json::{Value, json};
use std::io;

/// One row for each evaluation, repeat, run, group and case that comes out otherwise than by the
/// declared rules. RFC 4180; texts that a spreadsheet would take for a formula begin with `'`.
///
/// # Errors
/// When a row cannot be written.
pub fn flips_csv(workspace: &Workspace) -> io::Result<Vec<u8>> {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let head = ["level", "within", "name", "from", "to", "score_from", "score_to", "why"];
    writer.write_record(head)?;
    let score = |score: Option<Num>| score.map_or(String::new(), |score| score.0.to_string());
    for flip in flips(workspace) {
        writer.write_record([
            flip.level.as_str().to_owned(),
            no_formula(flip.within),
            no_formula(flip.name),
            flip.from.to_string(),
            flip.to.to_string(),
            score(flip.from_score),
            score(flip.to_score),
            no_formula(flip.why),
        ])?;
    }
    writer.into_inner().map_err(|err| io::Error::other(err.to_string()))
}

/// A text that no spreadsheet takes for a formula.
fn no_formula(text: String) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text }
}

/// One flip as a member of the report.
pub(super) fn flip_value(flip: &Flip) -> Value {
    json!({
        "level": flip.level.as_str(),
        "within": flip.within,
        "name": flip.name,
        "from": flip.from.as_str(),
        "to": flip.to.as_str(),
        "score_from": num(flip.from_score.map(|score| score.0)),
        "score_to": num(flip.to_score.map(|score| score.0)),
        "why": flip.why,
    })
}

#[cfg(test)]
mod tests {
    use super::no_formula;

    #[test]
    fn formulas_are_defused_and_nothing_else_is_changed() {
        let texts = ["=1+1", "@x", "case_1", "", "1-2"].map(|text| no_formula(text.to_owned()));
        assert_eq!(texts, ["'=1+1", "'@x", "case_1", "", "1-2"]);
    }
}
