//! Widths and places of the columns of a table, and where a column comes to stand.

use crate::report::SortKey;

/// The least width of a column in pixels, and how much a key changes it.
pub const LEAST_WIDTH: u32 = 48;
/// How much a key changes a width, in pixels.
pub const STEP: u32 = 16;

/// Width of a cell of the heat map in pixels.
const HEAT_WIDTH: u32 = 72;

/// A column, as it is laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track {
    /// What its width is kept under; empty: it is not kept.
    pub word: &'static str,
    /// Width in pixels; the least one when it takes a share of what is left.
    pub width: u32,
    /// Share of what is left.
    pub share: u32,
}

impl Track {
    /// The column of `key`, whose width is kept under `word`.
    pub fn of(key: SortKey, word: &'static str) -> Self {
        let (width, share) = size(key);
        Self { word, width, share }
    }

    /// A column of the heat map.
    pub fn of_heat() -> Self {
        Self { word: "", width: HEAT_WIDTH, share: 0 }
    }
}

/// Width of a column and its share of what is left.
fn size(key: SortKey) -> (u32, u32) {
    match key {
        SortKey::Outcome => (104, 0),
        SortKey::Id => (176, 4),
        SortKey::Run => (160, 4),
        SortKey::Suite | SortKey::Model => (136, 2),
        SortKey::Group => (136, 3),
        SortKey::Variant | SortKey::Tags => (120, 1),
        SortKey::Kind | SortKey::FailedChecks | SortKey::Instability => (120, 0),
        SortKey::Error => (160, 6),
        SortKey::Input | SortKey::Answer | SortKey::Expected => (240, 6),
        SortKey::Score => (128, 0),
        SortKey::Attempts | SortKey::Duration | SortKey::Tokens | SortKey::Cost => (92, 0),
        SortKey::Metric(_) => (104, 0),
        SortKey::Repeat | SortKey::File => (80, 0),
    }
}

/// Whether a column holds numbers, which are aligned at their end.
pub fn is_number(key: SortKey) -> bool {
    matches!(
        key,
        SortKey::Score
            | SortKey::FailedChecks
            | SortKey::Attempts
            | SortKey::Duration
            | SortKey::Tokens
            | SortKey::Cost
            | SortKey::Repeat
            | SortKey::Instability
            | SortKey::Metric(_)
    )
}

/// The tracks of a grid with these columns; `width_of` is what somebody has set.
pub fn tracks(columns: &[Track], width_of: impl Fn(&str) -> Option<u32>) -> String {
    let track = |column: &Track| match (width_of(column.word), column.share) {
        (Some(width), _) => format!("{width}px"),
        (None, 0) => format!("{}px", column.width),
        (None, share) => format!("minmax({}px, {share}fr)", column.width),
    };
    columns.iter().map(track).collect::<Vec<_>>().join(" ")
}

/// How narrow they may become together, in pixels.
pub fn least_width(columns: &[Track], width_of: impl Fn(&str) -> Option<u32>) -> u32 {
    columns.iter().map(|column| width_of(column.word).unwrap_or(column.width)).sum()
}

/// `columns` with `column` in the place of `goal`.
pub fn placed(columns: &[SortKey], column: SortKey, goal: SortKey) -> Vec<SortKey> {
    let at = |wanted| columns.iter().position(|known| *known == wanted);
    let mut columns = columns.to_vec();
    if let (Some(from), Some(to)) = (at(column), at(goal)) {
        columns.remove(from);
        columns.insert(to, column);
    }
    columns
}

/// The neighbour of `column` in one direction.
pub fn neighbour(columns: &[SortKey], column: SortKey, is_forward: bool) -> Option<SortKey> {
    let at = columns.iter().position(|known| *known == column)?;
    let goal = if is_forward { at + 1 } else { at.checked_sub(1)? };
    columns.get(goal).copied()
}

/// Widths as they are kept: `score:120,id:300`.
pub fn widths_of(words: &str) -> Vec<(String, u32)> {
    let pair = |pair: &str| {
        let (word, width) = pair.split_once(':')?;
        Some((word.to_owned(), width.parse().ok()?))
    };
    words.split(',').filter_map(pair).collect()
}

/// The same as words.
pub fn width_words(widths: &[(String, u32)]) -> String {
    let words = widths.iter().map(|(word, width)| format!("{word}:{width}"));
    words.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_moves_into_the_place_of_another() {
        let all = [SortKey::Id, SortKey::Score, SortKey::Group];
        assert_eq!(
            placed(&all, SortKey::Id, SortKey::Group),
            [SortKey::Score, SortKey::Group, SortKey::Id]
        );
        assert_eq!(placed(&all, SortKey::Kind, SortKey::Id), all);
        assert_eq!(neighbour(&all, SortKey::Score, false), Some(SortKey::Id));
        assert_eq!(neighbour(&all, SortKey::Group, true), None);
        assert_eq!(neighbour(&all, SortKey::Id, false), None);
    }

    #[test]
    fn what_somebody_has_set_goes_before_what_fits() {
        let columns = [Track::of(SortKey::Id, "id"), Track::of(SortKey::Score, "score")];
        let kept = widths_of("score:200,x,y:z");
        assert_eq!(width_words(&kept), "score:200");
        let width_of = |word: &str| kept.iter().find(|(own, _)| own == word).map(|(_, w)| *w);
        assert_eq!(tracks(&columns, width_of), "minmax(176px, 4fr) 200px");
        assert_eq!(least_width(&columns, width_of), 376);
    }
}
