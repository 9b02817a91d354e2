//! What stands in pieces, whatever they are in.

use evalglass::markup::Markup;
use evalglass::reading::{
    BlockShown, Body, ChangedValue, Choices, DiffBody, DiffPart, DiffShown, EntryBody, EntryItem,
    EntryShown, FindShown, KeyShown, LineShown, LinesBody, LinesShown, NodeShown, NodesShown,
    PartShown, Piece, SaidBody, TextShown, TreeShown, ValueShown, ViewShown, Way,
};

/// What was found.
#[derive(Default)]
pub struct Seen {
    /// Rendered Markdown.
    pub drawn: Vec<Markup>,
    /// Names of parts behind folds.
    pub folds: Vec<String>,
    /// Names of parts that come when they are near.
    pub later: Vec<String>,
    /// Ids of messages and places.
    pub ids: Vec<String>,
    /// Ids of values, texts and differences.
    pub inner_ids: Vec<String>,
    /// Views of many rows.
    pub views: Vec<ViewShown>,
    /// Names of texts to copy.
    pub copies: Vec<String>,
    /// Names of what can be searched.
    pub searches: Vec<String>,
    /// Names of parts that show something otherwise.
    pub choices: Vec<String>,
    /// Rows of texts.
    pub lines: Vec<LineShown>,
    /// Rows of differences.
    pub rows: Vec<DiffPart>,
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

    /// All that stands in a part.
    pub fn of_part(part: &PartShown) -> Self {
        let mut seen = Self::default();
        match part {
            PartShown::Pieces(pieces) => seen.all(pieces),
            PartShown::Lines(lines) => seen.lines(lines),
            PartShown::DiffRows(rows) => seen.rows(rows),
            PartShown::Found(found) => {
                seen.say(&found.words);
                for one in &found.matches {
                    seen.say(&format!("{} {}", one.place, one.words));
                    seen.ways.push(one.way.clone());
                }
            }
        }
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
                self.find(transcript.find.as_ref());
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
            Piece::Block(block) => self.block(block),
            Piece::Said(said) => {
                self.choices(&said.choices);
                self.copies.push(said.copy.clone());
                match &said.body {
                    SaidBody::Empty => {}
                    SaidBody::Rendered(markup) => self.drawn.push(markup.clone()),
                    SaidBody::Written(text) => self.say(text),
                }
                if let Some((words, part)) = &said.rest {
                    self.say(words);
                    self.folds.push(part.clone());
                }
            }
            Piece::Lines(lines) => self.text(lines),
            Piece::Short(label, text) => self.say(&format!("{label} {text}")),
            Piece::Tree(tree) => self.tree(tree),
            Piece::Nodes(nodes) => self.nodes(nodes),
            Piece::Diff(diff) => self.diff(diff),
            Piece::DiffParts(parts) => self.rows(parts),
            Piece::Changes(changes) => {
                for change in changes {
                    self.say(&format!("{} {}", change.path, change.word));
                    for value in &change.values {
                        match value {
                            ChangedValue::Nothing => {}
                            ChangedValue::Short(text) => self.say(text),
                            ChangedValue::Long { preview, size, text, .. } => {
                                self.say(&format!("{preview} {size} {text}"));
                            }
                        }
                    }
                }
            }
        }
    }

    fn find(&mut self, find: Option<&FindShown>) {
        if let Some(find) = find {
            self.searches.push(find.stem.clone());
            self.say(&find.what);
        }
    }

    fn choices(&mut self, all: &[Choices]) {
        for choice in all.iter().flat_map(|one| &one.all) {
            self.say(&choice.word);
            self.choices.push(choice.part.clone());
        }
    }

    fn block(&mut self, block: &BlockShown) {
        self.say(&format!("{} {}", block.label, block.size));
        self.choices(&block.choices);
        self.copies.push(block.copy.clone());
        match &block.text {
            TextShown::Empty => {}
            TextShown::Tree(tree) => self.tree(tree),
            TextShown::Lines(lines) => self.text(lines),
        }
    }

    fn text(&mut self, text: &LinesShown) {
        self.inner_ids.push(text.id.clone());
        for place in &text.places {
            let (id, row) = (text.id.clone(), Some(place.row));
            self.ways.push(Way { id, row, ..Way::default() });
            self.say(&place.words);
        }
        match &text.body {
            LinesBody::Whole(lines) => self.lines(lines),
            LinesBody::View(view, find) => {
                self.views.push(view.clone());
                self.find(Some(find));
            }
        }
    }

    fn lines(&mut self, lines: &[LineShown]) {
        for line in lines {
            assert_eq!(line.parts().concat(), line.text, "nothing of a line is lost");
            if !line.is_continued && !self.said.ends_with('\n') {
                self.said.push('\n');
            }
            self.said.push_str(&line.text);
        }
        self.said.push('\n');
        self.lines.extend(lines.iter().cloned());
    }

    fn tree(&mut self, tree: &TreeShown) {
        self.find(tree.find.as_ref());
        self.node(&tree.root);
    }

    fn nodes(&mut self, nodes: &NodesShown) {
        match nodes {
            NodesShown::Nodes(all) => all.iter().for_each(|node| self.node(node)),
            NodesShown::Ranges(all) => {
                for (words, part) in all {
                    self.say(words);
                    self.folds.push(part.clone());
                }
            }
        }
    }

    fn node(&mut self, node: &NodeShown) {
        self.inner_ids.push(node.id.clone());
        match &node.key {
            Some(KeyShown::Name(name)) => self.say(name),
            Some(KeyShown::Place(place)) => self.say(place),
            None => {}
        }
        match &node.value {
            ValueShown::Text(text) | ValueShown::Word(text) | ValueShown::Empty(text) => {
                self.say(text);
            }
            ValueShown::Long { preview, size, part } => {
                self.say(&format!("{preview} {size}"));
                self.folds.extend(part.clone());
            }
            ValueShown::Group(group) => {
                self.say(&format!("{} {}", group.contents, group.preview));
                match &group.inside {
                    Some(inside) => self.nodes(inside),
                    None => self.folds.push(group.part.clone()),
                }
            }
        }
    }

    fn diff(&mut self, diff: &DiffShown) {
        self.inner_ids.push(diff.id.clone());
        self.say(&diff.count);
        diff.notes.iter().for_each(|note| self.say(note));
        self.choices(&diff.choices);
        self.copies.push(diff.copy.clone());
        match &diff.body {
            DiffBody::Values(pieces) => self.all(pieces),
            DiffBody::Whole(_, parts) => self.rows(parts),
            DiffBody::View(_, view) => self.views.push(view.clone()),
        }
    }

    fn rows(&mut self, parts: &[DiffPart]) {
        for part in parts {
            match part {
                DiffPart::Row(row) => {
                    for line in row.lines.iter().flatten() {
                        line.runs.iter().for_each(|run| self.said.push_str(&run.text));
                        self.said.push('\n');
                    }
                }
                DiffPart::Fold { words, part } => {
                    self.say(words);
                    self.folds.push(part.clone());
                }
                DiffPart::Jump { words, part, .. } => {
                    self.say(words);
                    self.choices.push(part.clone());
                }
            }
        }
        self.rows.extend(parts.iter().cloned());
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
