//! Which answers are out of date.

/// Counts questions of one place: an answer to any but the newest is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Newest(u64);

/// A question that was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberedQuestion(u64);

impl Newest {
    /// Asks.
    pub fn ask(&mut self) -> NumberedQuestion {
        self.0 += 1;
        NumberedQuestion(self.0)
    }

    /// Whether the answer to `asked` is still wanted.
    pub fn wants(self, asked: NumberedQuestion) -> bool {
        self.0 == asked.0
    }
}

#[cfg(test)]
mod tests {
    use super::Newest;

    #[test]
    fn answers_to_older_questions_are_dropped_in_whatever_order_they_come() {
        let mut newest = Newest::default();
        let (first, second) = (newest.ask(), newest.ask());
        assert!(newest.wants(second) && !newest.wants(first));
        assert!(newest.wants(second), "an answer may come in parts");
        let third = newest.ask();
        assert!(!newest.wants(second) && newest.wants(third));
    }
}
