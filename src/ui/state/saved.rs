//! What leaves the page: how much of it, and what is said then.

use crate::address::Route;
use crate::words::ui::status as words;
use crate::worker::protocol::ChosenCases;

/// How much of what is loaded is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportScope {
    /// All of it.
    Everything,
    /// What is selected and filtered.
    View,
    /// Of that, the rows that are selected in the table of cases.
    Rows,
}

impl ExportScope {
    /// What is chosen of the view `route`, in which `rows` are selected; `None`: everything.
    pub fn chosen(self, route: &Route, rows: &[(u64, u64)]) -> Option<ChosenCases> {
        (self != Self::Everything).then(|| ChosenCases {
            query: route.case_query(),
            rows: if self == Self::Rows { rows.to_vec() } else { Vec::new() },
        })
    }
}

/// Said when a file of `n_bytes` bytes was downloaded.
pub fn downloaded(name: &str, n_bytes: usize) -> String {
    words::downloaded_bytes(name, n_bytes as u64)
}

/// The file that a chart is saved as, and whether it is a PNG; `sort` is `svg` or `png`.
pub fn picture(name: &str, sort: &str) -> (String, bool) {
    (format!("{name}.{sort}"), sort == "png")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_exported_only_where_they_are_meant() {
        let route = Route::default();
        let rows = [(2, 5)];
        assert!(ExportScope::Everything.chosen(&route, &rows).is_none());
        let n_rows = |scope: ExportScope| scope.chosen(&route, &rows).map(|one| one.rows.len());
        assert_eq!((n_rows(ExportScope::View), n_rows(ExportScope::Rows)), (Some(0), Some(1)));
    }

    #[test]
    fn pictures_are_called_by_their_sort() {
        assert_eq!(picture("cost", "png"), ("cost.png".to_owned(), true));
        assert_eq!(picture("cost", "svg"), ("cost.svg".to_owned(), false));
        assert!(downloaded("a.csv", 1500).starts_with("a.csv (1.5"));
    }
}
