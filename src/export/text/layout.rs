//! Lines of plain text: rules, indented blocks, columns that stand below one another.

/// Characters of a rule.
const WIDTH: usize = 72;

/// Text that is being set.
#[derive(Default)]
pub(super) struct TextLines {
    text: String,
}

impl TextLines {
    /// A line. Control characters in it, which a terminal would obey, become spaces.
    pub(super) fn line(&mut self, line: &str) {
        self.text.extend(line.chars().map(|c| if c.is_control() { ' ' } else { c }));
        while self.text.ends_with(' ') {
            self.text.pop();
        }
        self.text.push('\n');
    }

    /// An empty line.
    pub(super) fn gap(&mut self) {
        self.text.push('\n');
    }

    /// A rule across the page.
    pub(super) fn rule(&mut self) {
        self.line(&"=".repeat(WIDTH));
    }

    /// A text of many lines, each of them set in.
    pub(super) fn block(&mut self, indent: &str, text: &str) {
        for line in text.lines() {
            self.line(&format!("{indent}{}", line.replace('\t', "    ")));
        }
    }

    /// Names with their values below one another.
    pub(super) fn facts(&mut self, indent: &str, facts: &[(&str, String)]) {
        let width = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, value) in facts {
            let space = " ".repeat(width - name.chars().count());
            self.line(&format!("{indent}{name}:{space} {value}"));
        }
    }

    /// Rows of cells below one another: the first cell begins at the left, the others end at the right.
    pub(super) fn columns(&mut self, indent: &str, rows: &[Vec<String>]) {
        let mut widths: Vec<usize> = Vec::new();
        for row in rows {
            for (at, cell) in row.iter().enumerate() {
                let width = cell.chars().count();
                match widths.get_mut(at) {
                    Some(known) => *known = width.max(*known),
                    None => widths.push(width),
                }
            }
        }
        for row in rows {
            let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, width))| {
                let space = " ".repeat(width - cell.chars().count());
                if at == 0 { format!("{cell}{space}") } else { format!("{space}{cell}") }
            });
            self.line(&format!("{indent}{}", cells.collect::<Vec<_>>().join("  ")));
        }
    }

    /// Moves what was set to `out`.
    pub(super) fn hand_over(&mut self, out: &mut Vec<u8>) {
        out.extend(self.text.as_bytes());
        self.text.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::TextLines;

    fn text(set: impl FnOnce(&mut TextLines)) -> String {
        let (mut lines, mut out) = (TextLines::default(), Vec::new());
        set(&mut lines);
        lines.hand_over(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_stand_below_one_another() {
        let rows = [vec!["a".into(), "10".into()], vec!["bär".into(), "5".into()]];
        assert_eq!(text(|lines| lines.columns("  ", &rows)), "  a    10\n  bär   5\n");
        let facts = [("Cases", "3".to_owned()), ("Time", "1 s".to_owned())];
        assert_eq!(text(|lines| lines.facts("", &facts)), "Cases: 3\nTime:  1 s\n");
    }

    #[test]
    fn nothing_from_a_file_steers_a_terminal() {
        assert_eq!(text(|lines| lines.line("\u{1B}[2Jx\ny ")), " [2Jx y\n");
        assert_eq!(text(|lines| lines.block("> ", "a\n\tb\n")), "> a\n>     b\n");
    }
}
