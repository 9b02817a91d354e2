//! A pair: case against case.

use super::figures::TableShown;
use super::{CompareContext, CompareShown, CompareSideShown, PairShown};
use crate::format;
use crate::report::compare::{Alignment, alignment};
use crate::report::conversation::ConversationEntry;
use crate::report::diff::{Arrangement, FoldedRow, RowKind, folded, line_diff, rows};
use crate::report::{CaseDetail, CaseView, CheckDetail, Message};
use crate::words::reading::NOT_VERIFIED;
use crate::words::ui::case::position;
use crate::words::ui::compared as said;
use serde::{Deserialize, Serialize};

/// Rows of a difference that are sent.
const MAX_ROWS: usize = 400;

/// Texts that are compared.
const MAX_TEXTS: usize = 8;

/// Characters of a text of a step.
const MAX_TEXT: usize = 1_500;

/// Rows of steps that are sent.
const MAX_STEPS: usize = 300;

/// A pair.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PairPage {
    /// Its line in the list.
    pub line: Option<PairShown>,
    /// The two sides.
    pub sides: Vec<CompareSideShown>,
    /// `3 of 15`; empty: the list does not hold it.
    pub position: String,
    /// The pages of the pairs before and after it.
    pub beside: [Option<String>; 2],
    /// Facts of both cases.
    pub facts: TableShown,
    /// What both gave, compared.
    pub texts: Vec<PairTextShown>,
    /// What both did.
    pub steps: Option<StepsShown>,
}

/// A text of both sides.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PairTextShown {
    /// What it is.
    pub title: String,
    /// Its lines, the ones that only a side has marked by its sign.
    pub rows: Vec<DiffLineShown>,
    /// Rows that are not sent.
    pub n_more: u64,
}

/// A line of a difference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum DiffLineShown {
    /// On both sides.
    Same(String),
    /// Only on the baseline.
    Left(String),
    /// Only on the candidate.
    Right(String),
    /// So many lines that are the same on both sides.
    Folded(u64),
}

/// What both did, step by step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StepsShown {
    /// How many steps there are of each kind, as a sentence.
    pub lead: String,
    /// The rows in order.
    pub rows: Vec<StepsRow>,
    /// Rows that are not sent.
    pub n_more: u64,
}

/// A row of steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum StepsRow {
    /// Steps that are the same on both sides: what is said of them, and each in a line.
    Same(String, Vec<String>),
    /// A step that differs. `Some`: it is the first, with what that means.
    Apart {
        /// Numbers of the steps.
        number: String,
        /// On the baseline.
        left: Option<Box<StepShown>>,
        /// On the candidate.
        right: Option<Box<StepShown>>,
        /// That it is the first one, in words.
        first: Option<String>,
    },
}

/// A step of one side.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StepShown {
    /// Who speaks, or which tool is called.
    pub who: String,
    /// Whether that is a tool.
    pub is_tool: bool,
    /// What it says.
    pub text: String,
    /// What came back.
    pub returned: Option<String>,
    /// How long it took to come back.
    pub secs: String,
    /// What the file says of it besides, in words: the time since the step before it, the tokens of the turn
    /// that begins with it. Empty: nothing.
    pub told: String,
}

/// The page of `line`, of the comparison `of`. `views`: the cases, where the side has one.
pub fn pair_page(
    of: &CompareShown,
    line: PairShown,
    place: (Option<u64>, u64),
    beside: [Option<String>; 2],
    views: [Option<&CaseView>; 2],
    drawn: &CompareContext<'_>,
) -> PairPage {
    let against = drawn.view.against.max(1);
    let sides = [of.sides.first(), of.sides.get(against)];
    let position = place.0.map(|at| position(at + 1, place.1));
    let [left, right] = views;
    let both = left.zip(right);
    PairPage {
        facts: facts(&line, views, drawn),
        line: Some(line),
        sides: sides.into_iter().flatten().cloned().collect(),
        position: position.unwrap_or_default(),
        beside,
        texts: both.map(|(left, right)| texts(&left.detail, &right.detail)).unwrap_or_default(),
        steps: both.and_then(|(left, right)| steps(&left.detail, &right.detail)),
    }
}

fn facts(
    line: &PairShown,
    views: [Option<&CaseView>; 2],
    drawn: &CompareContext<'_>,
) -> TableShown {
    let letter = ('A'..='Z').nth(drawn.view.against.max(1)).unwrap_or('B');
    let ones = [line.baseline.as_ref(), line.candidate.as_ref()];
    let mut rows = vec![vec![said::OUTCOME.to_owned()], vec![said::VALUE.to_owned()]];
    for one in ones {
        let came = one.map_or(format::UNKNOWN, |one| one.came.word.as_str());
        let value = one.map_or(format::UNKNOWN, |one| one.value.as_str());
        for (row, words) in rows.iter_mut().zip([came, value]) {
            row.push(words.to_owned());
        }
    }
    if rows.last().is_some_and(|row| row.iter().skip(1).all(String::is_empty)) {
        rows.pop();
    }
    let mut put = |name: &str, of: &dyn Fn(&CaseView) -> Option<String>| {
        let [left, right] = views.map(|view| view.and_then(of));
        if left.is_some() || right.is_some() {
            let words = |value: Option<String>| value.unwrap_or_else(|| format::UNKNOWN.to_owned());
            rows.push(vec![name.to_owned(), words(left), words(right)]);
        }
    };
    put(said::DECIDED_BY, &|view| Some(view.verdict.clone()));
    put(said::SCORE, &|view| view.line.score.map(|score| drawn.look.score(score.0)));
    let names = views.into_iter().flatten().flat_map(|view| &view.detail.checks);
    let mut known: Vec<&str> = Vec::new();
    for check in names {
        if !known.contains(&check.name.as_str()) && known.len() < 60 {
            known.push(&check.name);
        }
    }
    for name in known {
        put(name, &|view| {
            let own = view.detail.checks.iter().filter(|check| check.name == name);
            let words: Vec<String> = own.map(|check| check_words(check, drawn)).collect();
            (!words.is_empty()).then(|| words.join(", "))
        });
    }
    TableShown { heads: vec![said::FACT.to_owned(), "A".to_owned(), letter.to_string()], rows }
}

fn check_words(check: &CheckDetail, drawn: &CompareContext<'_>) -> String {
    let right = check.is_correct.map(|is_right| if is_right { said::RIGHT } else { said::WRONG });
    let score = check.score.map(|score| drawn.look.score(score));
    let words: Vec<String> =
        score.into_iter().chain(right.map(str::to_owned)).chain(check.verdict.clone()).collect();
    if words.is_empty() { NOT_VERIFIED.to_owned() } else { words.join(" ") }
}

/// What both gave: texts of the same name, else the last thing that each said.
fn texts(left: &CaseDetail, right: &CaseDetail) -> Vec<PairTextShown> {
    let mut found = Vec::new();
    for one in left.actual.iter().take(MAX_TEXTS) {
        if let Some(two) = right.actual.iter().find(|two| two.label == one.label) {
            let title = if one.label.is_empty() { said::OUTPUT } else { one.label.as_str() };
            found.push(text(title, &one.body, &two.body));
        }
    }
    if found.is_empty() {
        let last = |detail: &CaseDetail| {
            let said = detail.transcript.iter().rev();
            let mut said =
                said.filter(|message| message.role == "assistant" && message.tool.is_none());
            said.next().map(|message| message.text.clone())
        };
        if let (Some(one), Some(two)) = (last(left), last(right)) {
            found.push(text(said::LAST_ANSWER, &one, &two));
        }
    }
    found
}

fn text(title: &str, left: &str, right: &str) -> PairTextShown {
    let (old, new): (Vec<&str>, Vec<&str>) = (left.lines().collect(), right.lines().collect());
    let diff = line_diff(&old, &new);
    let all = rows(&diff, &old, &new, Arrangement::Unified);
    let line = |lines: &[&str], at: Option<usize>| {
        at.and_then(|at| lines.get(at)).map(|line| (*line).to_owned()).unwrap_or_default()
    };
    let shown = folded(&all).into_iter().filter_map(|row| match row {
        FoldedRow::Row(at) => all.get(at).map(|row| match row.kind {
            RowKind::Same => DiffLineShown::Same(line(&old, row.old)),
            RowKind::Removed => DiffLineShown::Left(line(&old, row.old)),
            _ => DiffLineShown::Right(line(&new, row.new)),
        }),
        FoldedRow::Fold(range) => Some(DiffLineShown::Folded(range.len() as u64)),
    });
    let mut shown: Vec<DiffLineShown> = shown.collect();
    let n_more = shown.len().saturating_sub(MAX_ROWS) as u64;
    shown.truncate(MAX_ROWS);
    PairTextShown { title: title.to_owned(), rows: shown, n_more }
}

/// What both did; `None` where a side has no transcript.
fn steps(left: &CaseDetail, right: &CaseDetail) -> Option<StepsShown> {
    if left.transcript.is_empty() || right.transcript.is_empty() {
        return None;
    }
    let found = alignment(&left.transcript, &right.transcript);
    let n = |is_it: fn(&crate::report::compare::Aligned) -> bool| {
        found.steps.iter().filter(|step| is_it(step)).count() as u64
    };
    let lead = said::steps([
        n(|step| step.is_same),
        n(|step| !step.is_same && step.left.is_some() && step.right.is_some()),
        n(|step| step.right.is_none()),
        n(|step| step.left.is_none()),
    ]);
    let mut rows: Vec<StepsRow> = Vec::new();
    let mut at = 0;
    while let Some(step) = found.steps.get(at) {
        if step.is_same {
            let same = found.steps.iter().skip(at).take_while(|step| step.is_same).count();
            rows.push(alike(&found, at, same, [left, right]));
            at += same;
            continue;
        }
        let first = (found.divergence == Some(at)).then(|| divergence(step, at));
        rows.push(StepsRow::Apart {
            number: (at + 1).to_string(),
            left: step.left.and_then(|at| shown(&found.left, at, left)).map(Box::new),
            right: step.right.and_then(|at| shown(&found.right, at, right)).map(Box::new),
            first,
        });
        at += 1;
    }
    let n_more = rows.len().saturating_sub(MAX_STEPS) as u64;
    rows.truncate(MAX_STEPS);
    Some(StepsShown { lead, rows, n_more })
}

fn divergence(step: &crate::report::compare::Aligned, at: usize) -> String {
    match (step.left, step.right) {
        (Some(_), None) => said::diverges_in_a(at + 1),
        (None, Some(_)) => said::diverges_in_candidate(at + 1),
        _ => said::diverges_in_both(at + 1),
    }
}

/// Steps that are the same on both sides.
fn alike(found: &Alignment, at: usize, n: usize, sides: [&CaseDetail; 2]) -> StepsRow {
    let words = if n == 1 { said::step_alike(at + 1) } else { said::steps_alike(at + 1, at + n) };
    let steps = found.steps.iter().skip(at).take(n.min(MAX_STEPS));
    let lines = steps.filter_map(|step| {
        let one = shown(&found.left, step.left?, sides[0])?;
        let two = shown(&found.right, step.right?, sides[1])?;
        let short: String = one.text.chars().take(120).collect();
        let told = |letter: char, step: &StepShown| {
            let parts = [step.told.as_str(), step.secs.as_str()].into_iter();
            let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
            (!parts.is_empty()).then(|| format!("{letter}: {}", parts.join(", ")))
        };
        let told: Vec<String> = [told('A', &one), told('B', &two)].into_iter().flatten().collect();
        let told = if told.is_empty() { String::new() } else { format!(" ({})", told.join("; ")) };
        Some(format!("{}: {short}{told}", one.who))
    });
    StepsRow::Same(words, lines.collect())
}

fn shown(
    conversation: &crate::report::conversation::Conversation,
    at: usize,
    detail: &CaseDetail,
) -> Option<StepShown> {
    let messages = &detail.transcript;
    let entry = conversation.entries.get(at)?;
    let message = messages.get(entry.message)?;
    let cut = |text: &str| match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => [text.get(..end).unwrap_or_default(), " …"].concat(),
        None => text.to_owned(),
    };
    Some(StepShown {
        who: message.tool.clone().unwrap_or_else(|| message.role.clone()),
        is_tool: message.tool.is_some(),
        text: cut(&message.text),
        returned: entry.answer.and_then(|answer| messages.get(answer)).map(|one| cut(&one.text)),
        secs: entry.answer_secs.map(format::secs).unwrap_or_default(),
        told: told(entry, message, detail),
    })
}

/// The time since the step before, and the tokens of the turn that begins here.
fn told(entry: &ConversationEntry, message: &Message, detail: &CaseDetail) -> String {
    let gap = entry.gap_secs.filter(|gap| *gap >= 0.001);
    let mut words: Vec<String> =
        gap.map(|gap| format!("+{}", format::secs(gap))).into_iter().collect();
    let turn = detail.turns.iter().find(|turn| turn.turn == message.turn);
    let usage = turn.filter(|_| entry.is_turn_start).into_iter().flat_map(|turn| &turn.usage);
    words.extend(usage.map(|(name, n)| format!("{} {name}", format::number(*n, 0))));
    words.join(", ")
}
