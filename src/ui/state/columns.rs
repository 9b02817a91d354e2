//! Roles of columns that somebody chooses faster than tables are read, and those that are kept for the next visit.

use crate::address::{roles_of, roles_word};
use crate::report::{ColumnRole, MappingFile, Role};

/// Sets of columns that are kept, at the most.
const MAX_KEPT: usize = 100;

/// What was chosen and is not shown by an answer yet. The last choice holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choosing {
    wanted: Option<MappingFile>,
    /// Whether the worker is at an older choice.
    is_busy: bool,
    is_waiting: bool,
}

impl Choosing {
    /// What the page shows of the table that is read as `shown`.
    pub fn shown<'a>(&'a self, shown: &'a MappingFile) -> &'a MappingFile {
        self.wanted.as_ref().filter(|wanted| wanted.key() == shown.key()).unwrap_or(shown)
    }

    /// Column `nth` of the table that is read as `shown` is to have the role of `chosen`, and of the rest what goes
    /// with that role.
    pub fn choose(&mut self, shown: &MappingFile, nth: usize, chosen: ColumnRole) {
        let mut file = self.shown(shown).clone();
        if let Some(column) = file.columns.get_mut(nth) {
            let ColumnRole { role, unit, less_is_better, .. } = chosen;
            column.role = role;
            column.unit = (role == Role::Duration).then(|| unit.unwrap_or_default());
            column.less_is_better = less_is_better && role.is_scores();
        }
        file.confirmed = false;
        self.wanted = Some(file);
        self.is_waiting = true;
    }

    /// What the worker is to be told now: nothing while it is at an older choice.
    pub fn to_tell(&mut self) -> Option<MappingFile> {
        let is_free = self.is_waiting && !self.is_busy;
        let next = self.wanted.clone().filter(|_| is_free)?;
        (self.is_waiting, self.is_busy) = (false, true);
        Some(next)
    }

    /// The worker has done what it was told, or could not: then what is in force is shown again.
    pub fn answered(&mut self, is_done: bool) {
        self.is_busy = false;
        if !is_done && !self.is_waiting {
            self.wanted = None;
        }
    }

    /// An answer shows how the table is read now.
    pub fn followed(&mut self, shown: &MappingFile) {
        if !self.is_reading() || self.wanted.as_ref().is_some_and(|own| own.key() != shown.key()) {
            self.wanted = None;
        }
    }

    /// Whether tables are being read as it was chosen.
    pub fn is_reading(&self) -> bool {
        self.is_busy || self.is_waiting
    }
}

/// What is kept for the next visit: the newest first, a line each.
pub fn kept_columns(text: &str) -> Vec<MappingFile> {
    text.lines().filter_map(roles_of).take(MAX_KEPT).collect()
}

/// The same with `file`, in the place of what was kept for the same columns.
pub fn with_columns(text: &str, file: &MappingFile) -> String {
    let own = [roles_word(file)].into_iter();
    own.chain(others(text, file)).take(MAX_KEPT).collect::<Vec<_>>().join("\n")
}

/// The same without what was kept for the columns of `file`.
pub fn without_columns(text: &str, file: &MappingFile) -> String {
    others(text, file).collect::<Vec<_>>().join("\n")
}

fn others<'a>(text: &'a str, file: &MappingFile) -> impl Iterator<Item = String> + 'a {
    let key = file.key();
    let files = text.lines().filter_map(roles_of).filter(move |known| known.key() != key);
    files.map(|known| roles_word(&known))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(role: Role) -> ColumnRole {
        ColumnRole { role, ..ColumnRole::default() }
    }

    fn file(word: &str) -> MappingFile {
        roles_of(word).unwrap()
    }

    #[test]
    fn the_last_choice_holds_and_one_is_read_at_a_time() {
        let (shown, mut choosing) = (file("a:id,b,c"), Choosing::default());
        choosing.choose(&shown, 1, role(Role::Score));
        let first = choosing.to_tell().unwrap();
        assert_eq!((roles_word(&first), first.confirmed), ("a:id,b:score,c".to_owned(), false));
        choosing.choose(&shown, 2, role(Role::Duration));
        let unit = Some(crate::report::TimeUnit::Minutes);
        choosing.choose(&shown, 2, ColumnRole { unit, ..role(Role::Duration) });
        assert_eq!(choosing.to_tell(), None, "the worker is at the first one");
        choosing.answered(true);
        choosing.followed(&first);
        let last = choosing.to_tell().unwrap();
        assert_eq!(roles_word(&last), "a:id,b:score,c:duration(min)");
        assert_eq!(choosing.shown(&first), &last);
        choosing.answered(true);
        assert!(!choosing.is_reading());
        assert_eq!(choosing.shown(&first), &last, "until the answer is there");
        choosing.followed(&last);
        assert_eq!(choosing, Choosing::default());
    }

    #[test]
    fn a_way_goes_with_scores_alone() {
        let (shown, mut choosing) = (file("a:id,wer:score"), Choosing::default());
        let less = |of: Role| ColumnRole { less_is_better: true, ..role(of) };
        choosing.choose(&shown, 1, less(Role::Metric));
        assert_eq!(roles_word(choosing.shown(&shown)), "a:id,wer:metric(less)");
        choosing.choose(&shown, 1, less(Role::Group));
        assert_eq!(roles_word(choosing.shown(&shown)), "a:id,wer:group");
    }

    #[test]
    fn what_could_not_be_read_is_taken_back() {
        let (shown, mut choosing) = (file("a:id,b"), Choosing::default());
        choosing.choose(&shown, 1, role(Role::Score));
        assert!(choosing.to_tell().is_some());
        choosing.answered(false);
        assert_eq!(choosing.shown(&shown), &shown);
        choosing.choose(&shown, 1, role(Role::Score));
        let other = file("x,y:score");
        assert_eq!(choosing.shown(&other), &other, "of another table");
    }

    #[test]
    fn columns_are_kept_once_and_the_oldest_go() {
        let mut text = String::new();
        for n in 0..MAX_KEPT + 5 {
            text = with_columns(&text, &file(&format!("n{n}:id")));
        }
        assert_eq!(kept_columns(&text).len(), MAX_KEPT);
        let again = with_columns(&text, &file("n50:score"));
        assert_eq!(kept_columns(&again).len(), MAX_KEPT);
        assert!(again.starts_with("n50:score\nn104:id\n") && !again.contains("n50:id"));
        assert!(!without_columns(&again, &file("n50")).contains("n50"));
        assert_eq!(kept_columns("\nno:role\na:id").len(), 1);
    }
}
