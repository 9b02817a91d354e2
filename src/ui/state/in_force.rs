//! What the worker has been told, so that it is told once.

/// The last thing that was told.
#[derive(Debug, Clone, Default)]
pub struct LastSent<T>(T);

impl<T: PartialEq + Clone> LastSent<T> {
    /// Whether `now` is news; it is told then.
    pub fn is_news(&mut self, now: &T) -> bool {
        let is_news = self.0 != *now;
        if is_news {
            self.0 = now.clone();
        }
        is_news
    }
}

/// The value of a rule as it is put into the address: nothing for one that was emptied.
pub fn rule_value(typed: &str) -> Option<String> {
    let typed = typed.trim();
    (!typed.is_empty()).then(|| typed.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worker_is_told_once() {
        let mut told = LastSent::<Vec<u8>>::default();
        assert!(!told.is_news(&Vec::new()), "it begins with nothing");
        assert!(told.is_news(&vec![1]) && !told.is_news(&vec![1]) && told.is_news(&Vec::new()));
    }

    #[test]
    fn an_emptied_rule_is_as_declared_again() {
        assert_eq!(rule_value(" > 1 ").as_deref(), Some("> 1"));
        assert_eq!(rule_value("  "), None);
    }
}
