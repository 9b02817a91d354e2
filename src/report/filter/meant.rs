//! Words alone that are the name of a value: `failed` was probably meant as `outcome:failed`.

use super::about::About;
use super::expr::{Expr, Filter, Term};
use super::field::Field;

/// Words that people write for outcomes.
const SPELLINGS: [(&str, &str); 6] = [
    ("fail", "failed"),
    ("failure", "failed"),
    ("failures", "failed"),
    ("pass", "passed"),
    ("errors", "error"),
    ("skip", "skipped"),
];

impl Filter {
    /// The filter with every word alone that names an outcome or a kind asking for cases of that outcome or
    /// kind; `None` when there is no such word.
    pub fn by_value(&self) -> Option<Self> {
        self.by_value_about(About::Cases)
    }

    /// The same of a filter about pairs, where a word can name a change too.
    pub fn by_value_about(&self, about: About) -> Option<Self> {
        let mut has_any = false;
        let parts = self.parts().iter().map(|part| match part {
            Expr::Term(Term::Words(word)) => match value_of(word, about) {
                Some((field, value)) => {
                    has_any = true;
                    Expr::Term(Term::Is { field, is_exact: false, values: vec![value] })
                }
                None => part.clone(),
            },
            _ => part.clone(),
        });
        let parts = parts.collect();
        has_any.then(|| Self::of_parts(parts))
    }
}

fn value_of(word: &str, about: About) -> Option<(Field, String)> {
    let spelling = SPELLINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
    let word = spelling.map_or(word, |(_, outcome)| outcome);
    [Field::Outcome, Field::Kind, Field::Change].into_iter().find_map(|field| {
        let known = field.closed().filter(|_| about.has(&field))?;
        let value = known.into_iter().find(|known| known.eq_ignore_ascii_case(word))?;
        Some((field, value.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_names_a_value_is_meant_as_one() {
        let meant = |text: &str| {
            let filter: Filter = text.parse().unwrap();
            filter.by_value().map(|filter| filter.to_string())
        };
        assert_eq!(meant("failed").as_deref(), Some("outcome:failed"));
        assert_eq!(meant("Errors x score<1").as_deref(), Some("outcome:error x score<1"));
        assert_eq!(meant("core").as_deref(), Some("kind:Core"));
        assert_eq!(meant("outcome:failed timeout"), None);
    }
}
