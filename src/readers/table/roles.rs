//! What the columns of a table are, guessed from their names and cells, each with the reason.
//!
//! Roles that there is one of go to the column whose name says most and whose cells fit; the others become
//! metrics or facts. Nothing here decides alone: the page says "guessed" until somebody confirms it.

use super::profile::{ColumnContent, Profile, Profiles};
use super::words::NameWords;
use crate::model::{MappedColumn, Role, TimeUnit};

/// Guesses the roles of the columns called `names`.
pub(super) fn guess(names: &[String], profiles: &Profiles) -> Vec<MappedColumn> {
    let nothing = Profile::default();
    let columns = names.iter().enumerate().map(|(at, name)| RoleColumn {
        words: NameWords::of(name),
        is_unnamed: is_unnamed(at, name),
        profile: profiles.columns.get(at).unwrap_or(&nothing),
        given: None,
    });
    let mut guess = Guess { names, columns: columns.collect(), profiles };
    guess.verdicts();
    guess.identities();
    guess.texts();
    guess.amounts();
    guess.metrics();
    guess.wide();
    guess.rest();
    guess.into_columns()
}

/// Whether the column at `at` has no name of its own: the index of a data frame.
fn is_unnamed(at: usize, name: &str) -> bool {
    let is_made_up = name.starts_with("Unnamed: ") || name.starts_with("__index_level_");
    is_made_up || *name == (at + 1).to_string()
}

/// Whether columns with these roles hold results, so that the table is worth opening by itself.
pub(super) fn has_result(columns: &[MappedColumn]) -> bool {
    let has = |role| columns.iter().any(|column| column.role == role);
    let says = |roles: &[Role]| roles.iter().any(|role| has(*role));
    let is_about =
        says(&[Role::Id, Role::Model, Role::Group, Role::Input, Role::Output, Role::Expected]);
    let is_clear = columns.iter().any(|column| {
        let rank = NameWords::of(&column.name).rank(column.role);
        matches!(column.role, Role::Score | Role::Passed) && rank.is_some_and(|rank| rank < 14)
    });
    let by_error = has(Role::Error)
        && says(&[Role::Id, Role::Model])
        && says(&[Role::Input, Role::Output, Role::Expected]);
    is_clear
        || by_error
        || (is_about && says(&[Role::Score, Role::Passed, Role::Metric, Role::ModelScore]))
}

pub(super) struct RoleColumn<'a> {
    pub words: NameWords,
    /// It has no name of its own: the index of a data frame.
    pub is_unnamed: bool,
    pub profile: &'a Profile,
    pub given: Option<(Role, String)>,
}

impl RoleColumn<'_> {
    pub(super) fn kind(&self) -> ColumnContent {
        self.profile.kind()
    }

    /// Whether some values stand in several rows.
    fn repeats(&self) -> bool {
        self.profile.n_distinct() < self.profile.n_present || self.profile.n_present <= 1
    }

    fn is_short(&self) -> bool {
        self.profile.n_long.saturating_mul(10) <= self.profile.n_present
    }
}

pub(super) struct Guess<'a> {
    names: &'a [String],
    pub columns: Vec<RoleColumn<'a>>,
    profiles: &'a Profiles,
}

impl Guess<'_> {
    pub(super) fn give(&mut self, at: usize, role: Role, why: impl Into<String>) {
        if let Some(column) = self.columns.get_mut(at).filter(|column| column.given.is_none()) {
            column.given = Some((role, why.into()));
        }
    }

    pub(super) fn place_of(&self, role: Role) -> Option<usize> {
        let is_it =
            |column: &RoleColumn<'_>| column.given.as_ref().is_some_and(|(own, _)| *own == role);
        self.columns.iter().position(is_it)
    }

    pub(super) fn name_of(&self, role: Role) -> Option<&str> {
        self.place_of(role).and_then(|at| self.names.get(at)).map(String::as_str)
    }

    /// The free columns whose names are of `role` and whose cells fit, the likeliest first.
    pub(super) fn candidates(
        &self,
        role: Role,
        fits: impl Fn(&RoleColumn<'_>) -> bool,
    ) -> Vec<usize> {
        let mut found: Vec<(usize, usize)> = self
            .columns
            .iter()
            .enumerate()
            .filter(|(_, column)| column.given.is_none() && fits(column))
            .filter_map(|(at, column)| Some((column.words.rank(role)?, at)))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, at)| at).collect()
    }

    pub(super) fn give_best(
        &mut self,
        role: Role,
        why: &str,
        fits: impl Fn(&RoleColumn<'_>) -> bool,
    ) {
        if let Some(at) = self.candidates(role, fits).first() {
            self.give(*at, role, why);
        }
    }

    fn verdicts(&mut self) {
        const UNCLEAR: [&str; 6] = ["verdict", "outcome", "passfail", "status", "result", "state"];
        self.give_best(Role::Passed, "named like a verdict, and says yes or no", |column| {
            let is_clear = !UNCLEAR.contains(&column.words.last.as_str());
            column.profile.is_said() && (is_clear || column.kind() != ColumnContent::Number)
        });
        self.give_best(Role::Score, "named like a score, and holds numbers", |column| {
            column.kind() == ColumnContent::Number
        });
        if self.place_of(Role::Passed).is_none() {
            let why = "named like a score, and says yes or no";
            let best = self.candidates(Role::Score, |column| column.kind() == ColumnContent::YesNo);
            if let Some(at) = best.first() {
                self.give(*at, Role::Passed, why);
            }
        }
    }

    fn identities(&mut self) {
        self.give_best(
            Role::Model,
            "named like a model, and a few values repeat over many rows",
            |column| column.kind() == ColumnContent::Text && column.is_short() && column.repeats(),
        );
        self.give_best(Role::Repeat, "named like a repeat, and its values repeat", |column| {
            let is_count = column.profile.is_whole()
                && column.profile.range.is_some_and(|(low, _)| low >= 0.0);
            (is_count || column.kind() == ColumnContent::Text)
                && column.is_short()
                && column.repeats()
        });
        let n_rows = self.profiles.n_rows;
        let ids = self.candidates(Role::Id, |column| {
            let is_id = column.kind() == ColumnContent::Text || column.profile.is_whole();
            let is_full = column.profile.n_present.saturating_mul(10) >= n_rows.saturating_mul(9);
            is_id && is_full && column.is_short()
        });
        let beside: Vec<usize> =
            [Role::Model, Role::Repeat].iter().filter_map(|role| self.place_of(*role)).collect();
        let groups = self.candidates(Role::Group, |column| column.repeats());
        let apart = |at: usize, also: &[usize]| {
            let all: Vec<usize> = [&[at][..], &beside, also].concat();
            self.profiles.tells_apart(&all)
        };
        let by_itself = ids.iter().copied().find(|at| apart(*at, &[]));
        let in_group = || {
            let group: Vec<usize> = groups.first().copied().into_iter().collect();
            ids.iter().copied().find(|at| apart(*at, &group))
        };
        let exact = |at: &&usize| {
            let column = self.columns.get(**at);
            column.and_then(|column| column.words.rank(Role::Id)).is_some_and(|rank| rank < 20)
        };
        let found = match (by_itself.or_else(in_group), ids.iter().find(exact)) {
            (Some(at), _) => {
                let of_what = match (self.place_of(Role::Model), self.place_of(Role::Repeat)) {
                    (None, None) => "once",
                    (Some(_), None) => "once per model",
                    (None, Some(_)) => "once per repetition",
                    (Some(_), Some(_)) => "once per model and repetition",
                };
                Some((at, format!("named like an identifier, and each value is there {of_what}")))
            }
            (None, Some(at)) => {
                let why =
                    "named like an identifier; some values stand several times, as repetitions";
                Some((*at, why.to_owned()))
            }
            (None, None) => None,
        };
        if let Some((at, why)) = found {
            self.give(at, Role::Id, why);
        } else {
            let unnamed = self.columns.iter().enumerate().position(|(at, column)| {
                column.is_unnamed && column.kind() == ColumnContent::Text && apart(at, &[])
            });
            // A table of one row for each model: the models are its cases.
            let models = self.candidates(Role::Model, |column| {
                column.kind() == ColumnContent::Text && column.is_short()
            });
            if let Some(at) = models.first() {
                self.give(*at, Role::Id, "named like a model, and each value is there once");
            } else if let Some(at) = unnamed {
                self.give(at, Role::Id, "a column without a name, and each value is there once");
            }
        }
    }

    fn texts(&mut self) {
        let is_text = |column: &RoleColumn<'_>| {
            matches!(
                column.kind(),
                ColumnContent::Text | ColumnContent::List | ColumnContent::Empty
            )
        };
        self.give_best(Role::Error, "named like the text of an error", |column| {
            let is_flag = column.profile.n_present > 0
                && column.profile.n_said == column.profile.n_present
                && column.words.words.first().is_some_and(|word| word == "is" || word == "has");
            is_text(column) || column.kind() == ColumnContent::YesNo || is_flag
        });
        let outputs = self.candidates(Role::Output, |_| true);
        if let Some(at) = outputs.first() {
            self.give(*at, Role::Output, "named like an output");
        }
        self.give_best(Role::Expected, "named like the answer that was expected", |_| true);
        let answer = outputs
            .iter()
            .skip(1)
            .find(|at| self.columns.get(**at).is_some_and(|column| column.words.last == "answer"));
        if let (None, Some(at)) = (self.place_of(Role::Expected), answer) {
            let other = self.name_of(Role::Output).unwrap_or_default();
            let why = format!("named like an answer, while {other} is what was answered");
            self.give(*at, Role::Expected, why);
        }
        self.give_best(Role::Group, "named like a group, and its values repeat", |column| {
            let is_group = column.kind() == ColumnContent::Text || column.profile.is_whole();
            is_group && column.is_short() && column.repeats()
        });
        self.give_best(Role::Input, "named like an input", |column| {
            matches!(column.kind(), ColumnContent::Text | ColumnContent::List)
        });
        // The members of one object are one text: `input.question`, `input.choices`.
        for role in [Role::Input, Role::Expected, Role::Output] {
            let folder = self.place_of(role).and_then(|at| self.columns.get(at));
            let folder = folder.map(|column| column.words.first.clone()).unwrap_or_default();
            let of_folder = self.candidates(role, |column| {
                !folder.is_empty() && column.words.first == folder && is_text(column)
            });
            for at in of_folder {
                self.give(at, role, "lies beside another part of it");
            }
        }
    }

    fn rest(&mut self) {
        const ONCE: [(Role, &str); 7] = [
            (Role::Id, "an identifier"),
            (Role::Passed, "a verdict"),
            (Role::Duration, "a duration"),
            (Role::Cost, "a cost"),
            (Role::Output, "an answer"),
            (Role::Expected, "an expected answer"),
            (Role::Group, "a group"),
        ];
        let mut taken = Vec::new();
        for (role, what) in ONCE {
            if let Some(name) = self.name_of(role) {
                taken.push((role, format!("named like {what}, but {name} is read as that")));
            }
        }
        for at in 0..self.columns.len() {
            let Some(column) = self.columns.get(at).filter(|column| column.given.is_none()) else {
                continue;
            };
            let why = if column.is_unnamed {
                "a column without a name".to_owned()
            } else if column.kind() == ColumnContent::Empty {
                "nothing is in it".to_owned()
            } else {
                let of = taken.iter().find(|(role, _)| column.words.rank(*role).is_some());
                of.map_or_else(|| "its name is not recognised".to_owned(), |(_, why)| why.clone())
            };
            self.give(at, Role::Fact, why);
        }
    }

    fn into_columns(self) -> Vec<MappedColumn> {
        let all = self.names.iter().zip(self.columns);
        all.map(|(name, column)| {
            let (role, why) = column.given.clone().unwrap_or_default();
            let unit = column.words.unit().unwrap_or(TimeUnit::Seconds);
            MappedColumn {
                name: name.clone(),
                kind: column.kind().word().to_owned(),
                role,
                unit: (role == Role::Duration).then_some(unit),
                less_is_better: false,
                why,
            }
        })
        .collect()
    }
}
