//! Queries that were asked on this device, the newest first.

/// Queries that are kept at the most, and characters of one.
const MAX_KEPT: usize = 50;
const MAX_CHARS: usize = 20_000;

/// Stands between them: nobody types it.
const END: char = '\u{1e}';

/// The queries that `kept` holds.
pub fn history_of(kept: &str) -> Vec<String> {
    kept.split(END).filter(|text| !text.trim().is_empty()).map(str::to_owned).collect()
}

/// `history` as it is kept.
pub fn written_history(history: &[String]) -> String {
    history.join(&END.to_string())
}

/// `history` with `query` as the newest, once. A query that is too long to keep leaves it as it is.
pub fn with_query(history: &[String], query: &str) -> Vec<String> {
    let query = query.trim();
    if query.is_empty() || query.contains(END) || query.chars().count() > MAX_CHARS {
        return history.to_vec();
    }
    let others = history.iter().filter(|known| *known != query).cloned();
    std::iter::once(query.to_owned()).chain(others).take(MAX_KEPT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_query_is_kept_once_the_newest_first() {
        let mut history = Vec::new();
        for text in ["SELECT 1", " SELECT 2 ", "", "SELECT 1", "a\u{1e}b"] {
            history = with_query(&history, text);
        }
        assert_eq!(history, ["SELECT 1", "SELECT 2"]);
        assert_eq!(history_of(&written_history(&history)), history);
        for n in 0..100 {
            history = with_query(&history, &format!("SELECT {n}"));
        }
        assert_eq!((history.len(), history[0].as_str()), (MAX_KEPT, "SELECT 99"));
    }
}
