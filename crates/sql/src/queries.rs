//! The queries of `sql/queries`, ready to be asked. `tests/sql` compares the list with the folder.

/// Name and text of each query.
pub const QUERIES: [(&str, &str); 15] = [
    ("run_figures", include_str!("../../../sql/queries/run_figures.sql")),
    ("evaluations", include_str!("../../../sql/queries/evaluations.sql")),
    ("counts", include_str!("../../../sql/queries/counts.sql")),
    ("models", include_str!("../../../sql/queries/models.sql")),
    ("pass_rates", include_str!("../../../sql/queries/pass_rates.sql")),
    ("group_scores", include_str!("../../../sql/queries/group_scores.sql")),
    ("metrics", include_str!("../../../sql/queries/metrics.sql")),
    ("policies", include_str!("../../../sql/queries/policies.sql")),
    ("gates", include_str!("../../../sql/queries/gates.sql")),
    ("percentiles", include_str!("../../../sql/queries/percentiles.sql")),
    ("repeats", include_str!("../../../sql/queries/repeats.sql")),
    ("spread", include_str!("../../../sql/queries/spread.sql")),
    ("pass_at_k", include_str!("../../../sql/queries/pass_at_k.sql")),
    ("usage", include_str!("../../../sql/queries/usage.sql")),
    ("transitions", include_str!("../../../sql/queries/transitions.sql")),
];

/// What `query` answers: the sentence at its head.
pub fn about(query: &str) -> &str {
    query.lines().next().and_then(|line| line.strip_prefix("-- ")).unwrap_or_default()
}

/// `query` with its values filled in: those that it names itself, and in the place of empty texts those of `others`, in order.
pub fn filled(query: &str, others: &[String]) -> String {
    let set = |line: &str| {
        let (name, value) = line.strip_prefix("-- set ")?.split_once(" = ")?;
        Some((name.to_owned(), value.trim().to_owned()))
    };
    let mut others = others.iter();
    let values: Vec<(String, String)> = query
        .lines()
        .filter_map(set)
        .map(|(name, value)| match value.as_str() {
            "''" => (
                name,
                format!("'{}'", others.next().map_or("", String::as_str).replace('\'', "''")),
            ),
            _ => (name, value),
        })
        .collect();
    let lines = query.lines().filter(|line| set(line).is_none());
    let text = lines.collect::<Vec<_>>().join("\n");
    let (head, mut rest) = match text.split_once('\n') {
        Some((head, rest)) if head.starts_with("--") => (format!("{head}\n"), rest),
        _ => (String::new(), text.as_str()),
    };
    let mut found = head;
    // Not within texts, and no `::type`.
    while let Some(at) = rest.find(['\'', ':']) {
        let (before, from) = rest.split_at(at);
        found.push_str(before);
        let length = if let Some(inner) = from.strip_prefix('\'') {
            inner.find('\'').map_or(from.len(), |end| end + 2)
        } else if from.starts_with("::") {
            2
        } else {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let length = 1 + from
                .get(1..)
                .and_then(|name| name.find(|c| !word(c)))
                .unwrap_or(from.len() - 1);
            let name = from.get(1..length).unwrap_or_default();
            if let Some((_, value)) = values.iter().find(|(known, _)| known == name) {
                found.push_str(value);
                rest = from.get(length..).unwrap_or_default();
                continue;
            }
            length
        };
        found.push_str(from.get(..length).unwrap_or_default());
        rest = from.get(length..).unwrap_or_default();
    }
    found.push_str(rest);
    found.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_the_place_of_their_names() {
        let query = "-- About: a :k.\n-- set k = 2\n-- set of = ''\nSELECT ':k', x::INT, :k WHERE e = :of AND y < :kk";
        assert_eq!(about(query), "About: a :k.");
        let found = filled(query, &["it's".to_owned()]);
        assert_eq!(found, "-- About: a :k.\nSELECT ':k', x::INT, 2 WHERE e = 'it''s' AND y < :kk");
        assert!(filled(query, &[]).contains("e = ''"));
    }

    #[test]
    fn every_query_says_what_it_answers_and_lacks_no_value() {
        for (name, query) in QUERIES {
            assert!(about(query).ends_with('.'), "{name}");
            let text = filled(query, &["a".to_owned(), "b".to_owned()]);
            assert!(!text.contains(":k") && !text.contains("-- set"), "{name}: {text}");
        }
    }
}
