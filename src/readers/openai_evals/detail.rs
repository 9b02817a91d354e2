//! The whole record of one sample: its events, the model calls as a conversation.

use crate::input::json::{Cursor, f64_from_value};
use crate::model::{CaseDetail, CheckDetail, Content, Message, RawRecord, Run};
use crate::readers::record_value::{
    Facts, content, json_content, says_something, short_text, text,
};
use crate::readers::{Bundle, Error, ErrorKind, chat};
use serde_json::Value;

/// Reads the events of a sample again: the only case of its run.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let gone = || Error::new(ErrorKind::Gone);
    let first = case.cases.locator_of(0).ok_or_else(gone)?;
    let last = case.cases.partner_of(0);
    let file = bundle.file(first.source()).ok_or_else(gone)?;
    let bounds = |place| match place {
        crate::model::Locator::Span { offset, len, .. } => (offset, offset.saturating_add(len)),
        crate::model::Locator::Row { row, .. } => (row, row),
    };
    let (start, end) = bounds(first);
    let end = last.map_or(end, |last| bounds(last).1);
    let bytes = file.bytes(start..end).map_err(|err| Error::from(err).in_file(&file.path))?;
    let id = case.cases.id.get(0).unwrap_or_default();
    let mut page = OpenaiCasePage { run: case, ..OpenaiCasePage::of(case) };
    let mut offset = start;
    let mut events: Vec<(f64, Value, RawRecord)> = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let at = offset;
        offset = offset.saturating_add(line.len() as u64).saturating_add(1);
        let Ok(event) = Cursor::new(line).tree() else { continue };
        if event.get("sample_id").map(short_text).as_deref() != Some(id) {
            continue;
        }
        let json = String::from_utf8_lossy(line).into_owned();
        let raw =
            RawRecord { file: file.path.clone(), at: format!("byte {at}"), json, left_out: None };
        let order = event.get("event_id").and_then(f64_from_value).unwrap_or(f64::MAX);
        events.push((order, event, raw));
    }
    events.sort_by(|(left, ..), (right, ..)| left.total_cmp(right));
    for (_, event, raw) in events {
        page.event(&event);
        page.detail.raw.push(raw);
    }
    Ok(page.finish())
}

struct OpenaiCasePage<'a> {
    run: &'a Run,
    detail: CaseDetail,
    facts: Facts,
    /// Messages of the prompt of the last model call, with its answer.
    shown: Vec<Value>,
    n_calls: u32,
    turn: u32,
    n_checks: usize,
}

impl<'a> OpenaiCasePage<'a> {
    fn of(run: &'a Run) -> Self {
        Self {
            run,
            detail: CaseDetail::default(),
            facts: Facts::default(),
            shown: Vec::new(),
            n_calls: 0,
            turn: 0,
            n_checks: 0,
        }
    }

    fn finish(mut self) -> CaseDetail {
        self.facts.add("model calls", self.n_calls.to_string());
        self.detail.facts = self.facts.into_vec();
        self.detail
    }

    fn event(&mut self, event: &Value) {
        let nothing = Value::Null;
        let data = event.get("data").unwrap_or(&nothing);
        let at = text(event, "created_at");
        match text(event, "type").unwrap_or_default() {
            "sampling" => self.sampling(data, at),
            "match" => self.matched(data),
            "metrics" => self.metrics(data),
            "function_call" => self.function_call(data, at),
            "raw_sample" => self.detail.input.extend(content("sample", Some(data))),
            "error" => {
                let label = text(data, "type").unwrap_or("error");
                let message = data.get("message").filter(|message| says_something(message));
                self.detail.failure.extend(content(label, message.or(Some(data))));
            }
            other if says_something(data) => self.detail.actual.push(json_content(other, data)),
            _ => {}
        }
    }

    /// A model call: what its prompt adds to what was shown before, and the answer.
    fn sampling(&mut self, data: &Value, at: Option<&str>) {
        self.n_calls += 1;
        let prompt = match data.get("prompt") {
            Some(Value::Array(messages)) => messages.clone(),
            Some(prompt) if says_something(prompt) => {
                vec![serde_json::json!({"role": "user", "content": short_text(prompt)})]
            }
            _ => Vec::new(),
        };
        let is_continued = !self.shown.is_empty() && prompt.starts_with(&self.shown);
        let new =
            if is_continued { prompt.get(self.shown.len()..) } else { Some(prompt.as_slice()) };
        if self.n_calls == 1 {
            let input = data.get("prompt").filter(|prompt| prompt.is_string());
            self.detail.input.extend(content("prompt", input));
        }
        let is_next = self.n_calls > 1;
        self.turn += u32::from(is_next);
        let base = self.turn;
        let mut messages = chat::messages(new.unwrap_or_default());
        let answers: Vec<String> = match data.get("sampled") {
            Some(Value::Array(answers)) => answers.iter().map(short_text).collect(),
            Some(answer) if says_something(answer) => vec![short_text(answer)],
            _ => Vec::new(),
        };
        let last = messages.last().map_or(0, |message| message.turn);
        messages.extend(answers.iter().map(|answer| Message {
            turn: last,
            role: "assistant".to_owned(),
            text: answer.clone(),
            at: at.map(str::to_owned),
            ..Message::default()
        }));
        self.turn = base.saturating_add(last);
        let moved = messages.into_iter();
        self.detail.transcript.extend(
            moved.map(|message| Message { turn: base.saturating_add(message.turn), ..message }),
        );
        self.shown = prompt;
        let answer = answers.first().cloned().unwrap_or_default();
        self.shown.push(serde_json::json!({"role": "assistant", "content": answer}));
        let label = |what: &str| match self.n_calls {
            1 => what.to_owned(),
            nth => format!("{what} of call {nth}"),
        };
        self.facts.member(&label("model"), data, "model");
        self.facts.member(&label("usage"), data, "usage");
        let known = ["prompt", "sampled", "model", "usage"];
        for (key, value) in crate::readers::record_value::unknown_members(data, &known) {
            self.facts.add(&label(key), short_text(value));
        }
        if let Some(answer) = answers.first().filter(|_| self.n_calls == 1) {
            self.detail.actual.push(crate::readers::record_value::text_content("answer", answer));
        }
    }

    fn matched(&mut self, data: &Value) {
        if self.detail.expected.is_empty() {
            self.detail.expected.extend(content("expected", data.get("expected")));
        }
        let correct = data.get("correct").and_then(Value::as_bool);
        let verdict = correct.map(|is_so| if is_so { "passed" } else { "failed" });
        let known = ["correct", "expected", "picked"];
        let rest: serde_json::Map<String, Value> =
            crate::readers::record_value::unknown_members(data, &known)
                .map(|(key, value)| (key.to_owned(), value.clone()))
                .collect();
        let said = |key: &str| data.get(key).map(short_text).filter(|text| !text.is_empty());
        let check = CheckDetail {
            attempt: 1,
            name: self.name_of_next(),
            score: correct.map(|correct| f64::from(u8::from(correct))),
            is_correct: correct,
            verdict: verdict.map(str::to_owned),
            expected: said("expected"),
            actual: said("picked"),
            metadata: (!rest.is_empty()).then(|| Value::Object(rest).to_string()),
            ..CheckDetail::default()
        };
        // Matches stand before metrics, as in the table.
        let at = self.n_checks.min(self.detail.checks.len());
        self.detail.checks.insert(at, check);
        self.n_checks += 1;
    }

    /// What the reader calls the next match.
    fn name_of_next(&self) -> String {
        let at = self.run.checks_of(0).nth(self.n_checks);
        at.and_then(|at| self.run.checks.name.get(at)).unwrap_or("match").to_owned()
    }

    fn metrics(&mut self, data: &Value) {
        for (key, value) in data.as_object().into_iter().flatten() {
            let number = match value {
                Value::Bool(is_so) => Some(f64::from(u8::from(*is_so))),
                other => f64_from_value(other).filter(|_| !other.is_string()),
            };
            if number.is_none() && !value.is_null() {
                let shown: Option<Content> = content(key, Some(value));
                match value {
                    Value::String(word) => self.facts.add(key, word.clone()),
                    _ => self.detail.actual.extend(shown),
                }
                continue;
            }
            self.detail.checks.push(CheckDetail {
                attempt: 1,
                name: key.clone(),
                score: number,
                ..CheckDetail::default()
            });
        }
    }

    fn function_call(&mut self, data: &Value, at: Option<&str>) {
        let tool = text(data, "name").map(str::to_owned);
        let message = |role: &str, kind: &str, key: &str| Message {
            turn: self.turn,
            role: role.to_owned(),
            kind: kind.to_owned(),
            tool: tool.clone(),
            text: data.get(key).map(short_text).unwrap_or_default(),
            at: at.map(str::to_owned),
            ..Message::default()
        };
        let both = [
            message("assistant", "tool call", "arguments"),
            message("tool", "tool return", "return_value"),
        ];
        self.detail.transcript.extend(both);
    }
}
