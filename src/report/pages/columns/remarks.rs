//! What becomes of a column where several have the same role, or none has one.

use super::Role;
use crate::model::MappedColumn;
use crate::words::report::cases as words;

/// What becomes of column `nth` of `columns` beside the others; empty: just what its role says.
pub(super) fn of_column(columns: &[MappedColumn], nth: usize) -> String {
    let Some(own) = columns.get(nth) else { return String::new() };
    let first_of = |role: Role| columns.iter().find(|other| other.role == role);
    let alike = || columns.iter().enumerate().filter(|(_, other)| other.role == own.role);
    let first = alike().next().filter(|(at, _)| *at != nth);
    let beside =
        |say: fn(&str) -> String| first.map_or_else(String::new, |(_, first)| say(&first.name));
    match own.role {
        Role::Fact | Role::Metric | Role::ModelScore => String::new(),
        Role::Id | Role::Group | Role::Model if alike().count() > 1 => {
            let names: Vec<&str> = alike().map(|(_, column)| column.name.as_str()).collect();
            words::joined(&names.join(" / "))
        }
        Role::Id | Role::Group | Role::Model => String::new(),
        Role::Score if first_of(Role::ModelScore).is_some() => words::SCORE_NOT_USED.to_owned(),
        Role::Score => beside(words::second_score),
        Role::Passed => beside(words::second_verdict),
        Role::Repeat | Role::Duration => beside(words::role_taken),
        Role::Input | Role::Expected | Role::Output | Role::Error => beside(words::shown_with),
        Role::Cost | Role::Tokens => beside(words::added_to),
    }
}

/// What there is to say of all of them together.
pub(super) fn of_table(columns: &[MappedColumn]) -> Vec<String> {
    let has = |role: Role| columns.iter().any(|column| column.role == role);
    let mut remarks = Vec::new();
    if !has(Role::Id) {
        remarks.push(words::NO_ID);
    }
    let results = [Role::Score, Role::Passed, Role::Metric, Role::ModelScore, Role::Error];
    if !results.into_iter().any(has) {
        remarks.push(words::NO_RESULT);
    }
    let mut remarks: Vec<String> = remarks.into_iter().map(str::to_owned).collect();
    let has_score = [Role::Score, Role::Passed, Role::ModelScore].into_iter().any(has);
    let metric = columns.iter().find(|column| column.role == Role::Metric);
    let metric = metric.filter(|_| !has_score);
    remarks.extend(metric.map(|metric| words::metric_as_score(&metric.name)));
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(roles: &[(&str, Role)]) -> Vec<MappedColumn> {
        let column = |(name, role): &(&str, Role)| MappedColumn {
            name: (*name).to_owned(),
            role: *role,
            ..MappedColumn::default()
        };
        roles.iter().map(column).collect()
    }

    #[test]
    fn several_columns_of_one_role_are_explained() {
        let all = columns(&[
            ("suite", Role::Id),
            ("case", Role::Id),
            ("f1", Role::Score),
            ("em", Role::Score),
            ("a", Role::Output),
            ("b", Role::Output),
            ("c", Role::Fact),
        ]);
        let said: Vec<String> = (0..all.len()).map(|nth| of_column(&all, nth)).collect();
        assert_eq!(
            said,
            [
                "joined: suite / case",
                "joined: suite / case",
                "",
                "f1 is the score; this column is read as a further metric",
                "",
                "shown together with a",
                "",
            ]
        );
        assert!(of_table(&all).is_empty());
    }

    #[test]
    fn a_table_without_id_or_result_is_explained() {
        assert_eq!(of_table(&columns(&[("a", Role::Fact)])).len(), 2);
        assert_eq!(of_table(&columns(&[("a", Role::Score)])).len(), 1);
        let metric = columns(&[("i", Role::Id), ("f1", Role::Metric)]);
        assert_eq!(
            of_table(&metric),
            ["No score column: the first metric, f1, is used as the score."]
        );
        let wide = columns(&[("i", Role::Id), ("a", Role::Score), ("m", Role::ModelScore)]);
        assert!(of_table(&wide).is_empty() && !of_column(&wide, 1).is_empty());
    }
}
