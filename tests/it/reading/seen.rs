//! What stands in pieces, whatever they are in.

use evalglass::markup::Markup;
use evalglass::render::case::{Body, EntryBody, EntryItem, EntryShown, Piece, Way};

/// What was found.
#[derive(Default)]
pub struct Seen {
    /// What is drawn already.
    pub drawn: Vec<Markup>,
    /// Names of parts behind folds.
    pub folds: Vec<String>,
    /// Names of parts that come when they are near.
    pub later: Vec<String>,
    /// Ids of messages and places.
    pub ids: Vec<String>,
    /// Ways to elements.
    pub ways: Vec<Way>,
    /// Addresses.
    pub addresses: Vec<String>,
    /// Names of checks.
    pub checks: Vec<String>,
    /// Everything that is said, one after the other.
    pub said: String,
}

impl Seen {
    /// All that stands in `pieces`.
    pub fn of(pieces: &[Piece]) -> Self {
        let mut seen = Self::default();
        seen.all(pieces);
        seen
    }

    /// Ids of the messages.
    pub fn messages(&self) -> Vec<String> {
        self.ids.iter().filter(|id| id.starts_with("m-")).cloned().collect()
    }

    /// Names of all parts.
    pub fn parts(&self) -> impl Iterator<Item = &String> {
        self.folds.iter().chain(&self.later)
    }

    /// All that is drawn already, as one text.
    pub fn markup(&self) -> String {
        self.drawn.iter().map(Markup::as_str).collect()
    }

    fn say(&mut self, words: &str) {
        self.said.push_str(words);
        self.said.push('\n');
    }

    fn all(&mut self, pieces: &[Piece]) {
        pieces.iter().for_each(|piece| self.one(piece));
    }

    fn body(&mut self, body: &Body) {
        match body {
            Body::Here(pieces) => self.all(pieces),
            Body::Part(name) => self.folds.push(name.clone()),
        }
    }

    fn one(&mut self, piece: &Piece) {
        match piece {
            Piece::Drawn(markup) => self.drawn.push(markup.clone()),
            Piece::Line(_, words) => self.say(words),
            Piece::Facts(facts) => {
                facts.iter().for_each(|fact| self.say(&format!("{}: {}", fact.label, fact.value)));
            }
            Piece::Fold(fold) => {
                self.say(&format!("{} {} {}", fold.label, fold.preview, fold.size));
                self.body(&fold.body);
            }
            Piece::Later(later) => self.later.push(later.part.clone()),
            Piece::Checks(checks) => {
                for check in checks {
                    self.checks.push(check.name.clone());
                    self.say(&format!("{} {} {:?}", check.name, check.word, check.notes));
                    self.say(check.reason.as_deref().unwrap_or_default());
                    self.sides(&check.sides);
                    self.all(&check.below);
                }
            }
            Piece::Sides(sides) => {
                for side in sides {
                    self.say(side.title.as_deref().unwrap_or_default());
                    self.all(&side.pieces);
                }
            }
            Piece::Attempts(attempts) => {
                for attempt in attempts {
                    self.say(&attempt.title);
                    self.body(&attempt.body);
                }
            }
            Piece::Request(request) => {
                self.say(&format!("{} {}", request.method, request.path));
                for (label, pairs) in &request.pairs {
                    self.say(label);
                    self.sides(pairs);
                }
                self.all(&request.pieces);
            }
            Piece::Transcript(transcript) => {
                if let Some(outline) = &transcript.outline {
                    self.say(&outline.words);
                    self.all(&outline.pieces);
                }
                self.drawn.push(transcript.find.clone());
                self.items(&transcript.first);
                self.later.extend(transcript.later.iter().map(|later| later.part.clone()));
            }
            Piece::Entries(items) => self.items(items),
            Piece::Outline(lines) => {
                for line in lines {
                    self.say(&line.words);
                    self.ways.push(line.way.clone());
                }
            }
            Piece::Files(files) => {
                for file in files {
                    self.say(&format!("{} {:?}", file.path, file.cells));
                    self.ways.extend(file.way.clone());
                }
            }
            Piece::Place(id, pieces) => {
                self.ids.push(id.clone());
                self.all(pieces);
            }
            Piece::Rows(columns, rows) => {
                self.say(&columns.join("\t"));
                rows.iter().for_each(|row| self.say(&row.join("\t")));
            }
        }
    }

    fn sides(&mut self, sides: &[(String, String)]) {
        sides.iter().for_each(|(word, text)| self.say(&format!("{word}: {text}")));
    }

    fn items(&mut self, items: &[EntryItem]) {
        for item in items {
            match item {
                EntryItem::Turn(turn) => {
                    self.say(&format!("{} {}", turn.title, turn.usage));
                    for grade in &turn.grades {
                        self.say(&format!("{} {}", grade.grader, grade.score));
                        self.sides(&grade.sides);
                        self.all(&grade.below);
                    }
                }
                EntryItem::Entry(entry) => self.entry(entry),
            }
        }
    }

    fn entry(&mut self, entry: &EntryShown) {
        self.ids.push(entry.way.id.clone());
        self.addresses.push(entry.address.clone());
        self.ways.push(entry.way.clone());
        self.say(&format!("{} {:?}", entry.role, entry.agent));
        match &entry.body {
            EntryBody::Words { tool, pieces } => {
                self.say(tool.as_deref().unwrap_or_default());
                self.all(pieces);
            }
            EntryBody::Call { tool, given, returned, .. } => {
                self.say(tool);
                self.all(given.as_deref().unwrap_or_default());
                self.all(returned.as_deref().unwrap_or_default());
            }
        }
    }
}
