//! The page of a case from top to bottom.

use super::fold::labelled;
use super::piece::{Body, Fold, Piece, SideShown, Way};
use super::read::Reading;
use super::shown::{
    CasePage, CaseShown, ColumnSide, ElsewhereShown, FactShown, NoCase, SectionShown,
};
use super::texts::text_id::{TextId, TextPair};
use super::{attempts, checks, diffs::diff, texts::block, transcript, trees::api};
use crate::address::{OpenNames, Page, Route};
use crate::format;
use crate::report::{CaseLine, CaseView, Content, ContentFormat, Name, RunRef, Target};
use crate::words::reading as words;

/// Values up to so many bytes stand in the list of facts.
const MAX_FACT: usize = 200;

/// The page. `spot` is a message's number or the word of a part, to which there is a way then.
pub(super) fn page(reading: &Reading, view: &CaseView, key: String, spot: &str) -> CasePage {
    let line = &view.line;
    let sections = sections(reading);
    let section = sections.iter().find(|section| section.word == spot);
    let found = section.map(|section| Way { id: section.id(), ..Way::default() });
    let way = found.or_else(|| transcript::way_to_message(reading, spot));
    let links = reading.links();
    let score = line.score.map(|score| (reading.look().score(score.0), links.how.clone()));
    let elsewhere = view.elsewhere.iter().zip(links.elsewhere.iter().zip(&links.compared));
    CasePage {
        key,
        id: line.id.clone(),
        crumbs: [
            (view.evaluation_label.clone(), links.evaluation.clone()),
            (line.run_label.clone(), links.run.clone()),
        ],
        outcome: line.outcome,
        verdict: view.verdict.clone(),
        rule: view.rule.clone(),
        score_reason: view.score_reason.clone().filter(|_| score.is_none()),
        score,
        facts: facts(line),
        usage: usage(line),
        elsewhere: elsewhere
            .map(|(one, (address, compared))| ElsewhereShown {
                is_before: one.is_before,
                label: match &one.evaluation {
                    Some(evaluation) => words::elsewhere(evaluation, &one.run),
                    None => one.run.clone(),
                },
                outcome: one.outcome,
                score: one.score,
                address: address.clone(),
                compared: compared.clone(),
            })
            .collect(),
        sections,
        spot: way,
    }
}

fn facts(line: &CaseLine) -> Vec<FactShown> {
    shown([
        (words::GROUP, line.group.clone()),
        (words::VARIANT, line.variant.clone()),
        (words::KIND, line.kind.map(|kind| kind.as_str().to_owned())),
    ])
}

fn usage(line: &CaseLine) -> Vec<FactShown> {
    shown([
        (words::ATTEMPTS, line.n_attempts.map(|n| format::count(n.into()))),
        (words::TIME, line.duration_secs.map(|secs| format::secs(secs.0))),
        (words::TOKENS, line.tokens.map(|n| format::number(n.0, 0))),
        (words::COST, line.cost_usd.map(|usd| format::usd(usd.0, false))),
    ])
}

fn shown<const N: usize>(facts: [(&str, Option<String>); N]) -> Vec<FactShown> {
    let known = facts.into_iter().filter_map(|(label, value)| Some((label, value?)));
    known
        .map(|(label, value)| FactShown { label: label.to_owned(), value, written: None })
        .collect()
}

/// The sections that have something in them, what is read first before the others.
fn sections(reading: &Reading) -> Vec<SectionShown> {
    let detail = reading.detail();
    let has_transcript = !detail.transcript.is_empty();
    let has_sides = !detail.expected.is_empty() || !detail.actual.is_empty();
    // What is compared at length needs the wide column, unless a conversation has it.
    let is_long = |text: &Option<String>| text.as_deref().is_some_and(|t| !checks::is_short(t));
    let are_long = detail
        .checks
        .iter()
        .any(|check| is_long(&check.expected) || is_long(&check.actual) || is_long(&check.diff));
    let has_other = has_sides || !detail.attempts.is_empty() || !detail.failure.is_empty();
    let checks = if has_transcript || (has_other && !are_long) {
        ColumnSide::Aside
    } else {
        ColumnSide::Main
    };
    let beside = if has_transcript { ColumnSide::Aside } else { ColumnSide::Main };
    let count = |n: usize| Some(n as u64);
    let n_entries = reading.conversation().entries.len();
    let all: [(SectionName, Option<u64>, ColumnSide, bool, Draw); 8] = [
        (
            ("transcript", words::TRANSCRIPT),
            count(n_entries),
            ColumnSide::Main,
            has_transcript,
            transcript::transcript,
        ),
        (("failure", words::FAILURE), None, ColumnSide::Main, !detail.failure.is_empty(), failure),
        (
            ("checks", words::CHECKS),
            count(detail.checks.len()),
            checks,
            !detail.checks.is_empty(),
            checks::checks,
        ),
        (("expected-and-actual", words::SIDES), None, beside, has_sides, sides),
        (
            ("attempts", words::ATTEMPTS),
            count(detail.attempts.len()),
            ColumnSide::Main,
            !detail.attempts.is_empty(),
            attempts::attempts,
        ),
        (("input", words::INPUT), None, ColumnSide::Main, !detail.input.is_empty(), input),
        (("metadata", words::METADATA), None, ColumnSide::Aside, !detail.facts.is_empty(), further),
        (("raw-records", words::RAW), None, ColumnSide::Main, !detail.raw.is_empty(), raw),
    ];
    let drawn =
        |((word, title), n, side, _, draw): (SectionName, Option<u64>, ColumnSide, bool, Draw)| {
            let (word, title) = (word.to_owned(), title.to_owned());
            SectionShown { word, title, n, side, body: draw(reading) }
        };
    all.into_iter().filter(|(_, _, _, is_there, _)| *is_there).map(drawn).collect()
}

/// What is said in place of a case that its run does not have, with the way to those that it has.
pub fn no_case(case: &Name, labels: [&str; 2], at: RunRef, names: &dyn OpenNames) -> CaseShown {
    let route = Route { page: Page::Cases, target: Target::Run(at), ..Route::default() };
    let what = match case {
        Name::Key(key) => words::case_key(key),
        Name::Place(place) => words::case_number(place.saturating_add(1)),
    };
    let labels = labels.map(str::to_owned);
    CaseShown::Lost(NoCase { what, labels, cases: route.to_hash(names) })
}

type Draw = fn(&Reading) -> Vec<Piece>;

/// The word of a section in addresses, and its title.
type SectionName = (&'static str, &'static str);

fn is_fact(text: &str) -> bool {
    text.len() <= MAX_FACT && !text.contains(['\n', '\r'])
}

/// Labelled texts: each by itself, short ones as facts where there are several.
pub(super) fn contents(
    reading: &Reading,
    list: &[Content],
    id: fn(usize) -> TextId,
    is_left_out: impl Fn(usize) -> bool,
) -> Vec<Piece> {
    let is_short =
        |content: &Content| content.format == ContentFormat::Text && is_fact(&content.body);
    let shown = || list.iter().enumerate().filter(|(at, _)| !is_left_out(*at));
    // One short text alone reads better whole.
    let n_short = shown().filter(|(_, content)| is_short(content)).count();
    let is_listed = |content: &Content| n_short > 2 && is_short(content);
    let mut room = block::TextRoom::default();
    let mut out = Vec::new();
    for (at, _) in shown().filter(|(_, content)| !is_listed(content)) {
        out.extend(api::summary(reading, &id(at)));
        out.extend(room.block(reading, &id(at)));
    }
    if n_short > 2 {
        let listed = shown().filter(|(_, content)| is_listed(content));
        let facts = listed.map(|(_, content)| fact(&content.label, &content.body));
        out.push(Piece::Facts(facts.collect()));
    }
    out
}

fn fact(label: &str, value: &str) -> FactShown {
    let rounded = format::rounded(value);
    let written = rounded.is_some().then(|| value.to_owned());
    FactShown {
        label: label.to_owned(),
        value: rounded.unwrap_or_else(|| value.to_owned()),
        written,
    }
}

pub(super) fn failure(reading: &Reading) -> Vec<Piece> {
    let mut room = block::TextRoom::default();
    let all = 0..reading.detail().failure.len();
    all.filter_map(|at| room.block(reading, &TextId::Failure(at))).collect()
}

pub(super) fn input(reading: &Reading) -> Vec<Piece> {
    let list = &reading.detail().input;
    let (request, drawn) = api::request(reading, list, TextId::Input).unzip();
    let drawn = drawn.unwrap_or_default();
    let request = request.map(Piece::Request);
    let others = contents(reading, list, TextId::Input, |at| drawn.contains(&at));
    request.into_iter().chain(others).collect()
}

/// Expected and actual, side by side where there is room, and how they differ when there is one of
/// each.
fn sides(reading: &Reading) -> Vec<Piece> {
    let detail = reading.detail();
    let lists = [
        (["expected", words::EXPECTED], &detail.expected, TextId::Expected as fn(usize) -> TextId),
        (["actual", words::ACTUAL], &detail.actual, TextId::Actual),
    ];
    let there = lists.into_iter().filter(|(_, list, _)| !list.is_empty());
    let sides = there.map(|([name, title], list, id)| {
        // A list of one text that is called so already needs no second heading.
        let is_titled = matches!(list.as_slice(), [only] if only.label.eq_ignore_ascii_case(name));
        SideShown {
            title: (!is_titled).then(|| title.to_owned()),
            pieces: contents(reading, list, id, |_| false),
        }
    });
    let mut out = vec![Piece::Sides(sides.collect())];
    if let ([old], [new]) = (detail.expected.as_slice(), detail.actual.as_slice())
        && old.body != new.body
    {
        let pair = TextPair { old: TextId::Expected(0), new: TextId::Actual(0) };
        let is_open = old.body.len() + new.body.len() < 20_000;
        let body = Body::Here(diff::place(reading, &pair).into_iter().collect());
        let fold = Fold { is_open, body, ..labelled(words::DIFFERENCE.to_owned()) };
        out.push(Piece::Fold(Box::new(fold)));
    }
    out
}

/// What the files say beyond the columns of the table.
pub(super) fn further(reading: &Reading) -> Vec<Piece> {
    let facts = &reading.detail().facts;
    let short = facts.iter().filter(|fact| is_fact(&fact.value));
    let short: Vec<FactShown> = short.map(|known| fact(&known.label, &known.value)).collect();
    let long = facts.iter().enumerate().filter(|(_, fact)| !is_fact(&fact.value));
    let long = long.filter_map(|(at, _)| block::folded(reading, &TextId::Fact(at), false));
    let listed = (!short.is_empty()).then_some(Piece::Facts(short));
    listed.into_iter().chain(long).collect()
}

fn raw(reading: &Reading) -> Vec<Piece> {
    let all = 0..reading.detail().raw.len();
    all.filter_map(|at| block::folded(reading, &TextId::Raw(at), false)).collect()
}
