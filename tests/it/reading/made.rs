//! Cases made for a purpose.

use evalglass::reading::{Piece, Reading};
use evalglass::render::Look;
use evalglass::report::{
    AttemptDetail, CaseDetail, CaseLine, CaseView, CheckDetail, Content, ContentFormat, Fact,
    Message, Num, Outcome, RawRecord, RunRef, TurnDetail, TurnGrade,
};

/// A case with this record and nothing else.
pub fn view_of(detail: CaseDetail) -> CaseView {
    let line = CaseLine {
        metrics: Vec::new(),
        run: RunRef { evaluation: 0, run: 1 },
        case_idx: 2,
        run_label: "run".to_owned(),
        id: "case".to_owned(),
        variant: None,
        model: None,
        suite: None,
        repeat: 1,
        tags: Vec::new(),
        group: None,
        kind: None,
        outcome: Outcome::Failed,
        score: Some(Num(0.5)),
        n_failed_checks: 0,
        n_checks: 0,
        n_attempts: None,
        duration_secs: None,
        tokens: None,
        cost_usd: None,
        error: None,
    };
    CaseView {
        line,
        evaluation_label: "evaluation".to_owned(),
        score_reason: None,
        rule: None,
        verdict: "Failed".to_owned(),
        elsewhere: Vec::new(),
        detail,
    }
}

/// It being read.
pub fn reading_of(detail: CaseDetail) -> Reading {
    Reading::new(view_of(detail), Look::default())
}

/// Its sections, one after the other.
pub fn body_of(reading: &Reading) -> Vec<Piece> {
    let page = reading.shown(String::new(), "").expect("it is a case");
    page.sections.into_iter().flat_map(|section| section.body).collect()
}

/// A labelled text.
pub fn content(label: &str, body: &str) -> Content {
    Content { label: label.to_owned(), body: body.to_owned(), format: ContentFormat::Text }
}

/// A case that has `text` in every field that can hold one.
pub fn all_of(text: &str) -> CaseView {
    let own = || text.to_owned();
    let some = || Some(text.to_owned());
    let contents = || {
        [ContentFormat::Text, ContentFormat::Json, ContentFormat::Diff]
            .map(|format| Content { label: own(), body: own(), format })
            .to_vec()
    };
    let check = |verdict: &str, is_correct| CheckDetail {
        attempt: 2,
        name: own(),
        score: Some(f64::NAN),
        is_correct,
        weight: Some(f64::INFINITY),
        verdict: Some(verdict.to_owned()),
        reason: some(),
        expected: some(),
        actual: Some(format!("{text}!")),
        diff: some(),
        metadata: some(),
    };
    let message = |role: &str, kind: &str, tool: bool| Message {
        agent: None,
        turn: 0,
        role: role.to_owned(),
        kind: kind.to_owned(),
        tool: tool.then(own),
        call_id: some(),
        text: own(),
        is_error: tool,
        at: some(),
    };
    let detail = CaseDetail {
        facts: vec![Fact { label: own(), value: own() }],
        input: contents(),
        expected: vec![content(text, text)],
        actual: vec![content(text, &format!("{text}?"))],
        failure: contents(),
        checks: vec![check(text, Some(false)), check("error", Some(true)), check(text, None)],
        attempts: (1..4)
            .map(|attempt| AttemptDetail {
                attempt,
                duration_secs: Some(-1.0),
                output: vec![content(text, &format!("{text}{attempt}"))],
            })
            .collect(),
        transcript: vec![
            message("user", "", false),
            message("assistant", "", false),
            message("system", text, false),
            message("reasoning", "", false),
            message("assistant", "tool_call", true),
            message("tool", "", true),
            message("tool", text, true),
            message(text, text, true),
            message(text, text, false),
            Message { turn: 1, ..message("user", text, false) },
        ],
        turns: vec![TurnDetail {
            turn: 1,
            usage: vec![(own(), f64::NAN)],
            grades: vec![TurnGrade {
                grader: own(),
                score: Some(f64::NEG_INFINITY),
                reason: some(),
                submission: some(),
                expected: some(),
            }],
        }],
        raw: vec![RawRecord { file: own(), at: own(), json: own(), left_out: None }],
    };
    let mut view = view_of(detail);
    view.line.id = own();
    view.line.run_label = own();
    view.line.variant = some();
    view.line.group = some();
    view.line.error = some();
    view.evaluation_label = own();
    view.score_reason = some();
    view
}
