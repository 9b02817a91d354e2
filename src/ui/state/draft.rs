//! What is being typed into a field whose value also changes by answers of the worker: typed text is never replaced.

/// Typed text that is not the field's value yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextDraft {
    text: Option<String>,
    is_typing: bool,
}

impl TextDraft {
    /// `text` stands in the field now.
    pub fn typed(&mut self, text: String) {
        self.text = Some(text);
        self.is_typing = true;
    }

    /// The text was put in force; it stays until the value follows. Nothing stands for the value, which is shown again.
    pub fn committed(&mut self) {
        self.is_typing = false;
        if self.text.as_ref().is_some_and(|text| text.trim().is_empty()) {
            self.text = None;
        }
    }

    /// The field was left; what was typed and taken back is forgotten.
    pub fn left(&mut self) {
        if self.is_typing {
            *self = Self::default();
        }
    }

    /// The value has changed.
    pub fn followed(&mut self) {
        if !self.is_typing {
            self.text = None;
        }
    }

    /// What the field shows, when its value is `value`.
    pub fn shown(&self, value: &str) -> String {
        self.text.as_deref().unwrap_or(value).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_never_replaces_what_is_being_typed() {
        let mut draft = TextDraft::default();
        assert_eq!(draft.shown("old"), "old");
        draft.typed("first".to_owned());
        draft.committed();
        assert_eq!(draft.shown("old"), "first", "the answer is not there yet");
        draft.typed("first and more".to_owned());
        draft.followed();
        assert_eq!(draft.shown("first"), "first and more", "typed while the answer was under way");
        draft.committed();
        draft.followed();
        assert_eq!(draft.shown("answered"), "answered");
    }

    #[test]
    fn what_is_taken_back_or_emptied_shows_the_value() {
        let mut draft = TextDraft::default();
        draft.typed("other".to_owned());
        draft.left();
        assert_eq!(draft.shown("value"), "value");
        draft.typed(" ".to_owned());
        assert_eq!(draft.shown("value"), " ");
        draft.committed();
        assert_eq!(draft.shown("value"), "value");
    }
}
