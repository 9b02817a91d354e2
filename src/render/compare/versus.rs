//! A candidate against the baseline.

use super::audit::{AuditShown, audit, lists};
use super::figures::{ConfigShown, TableShown, checkpoints, configuration, figures};
use super::forest::{ForestDifference, PlotShown, RowShown, Says, plot};
use super::matrix::{MatrixShown, matrix};
use super::words::{self, DifferenceScale};
use super::{CompareContext, CompareView};
use crate::format::count;
use crate::order::Order as _;
use crate::report::compare::{
    BetterDirection, Comparison, DifferencePart, Guard, MeasureLine, PairBy, PartBy, SideLine,
    SplitDifference, Valued, VerdictIs, Versus,
};
use crate::words::ui::compared as said;
use serde::{Deserialize, Serialize};

/// Parts that a plot shows.
const MAX_PARTS: usize = 60;

/// A candidate against the baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VersusShown {
    /// Place of the candidate among the sides.
    pub side: usize,
    /// Its letter.
    pub letter: String,
    /// What the verdict says.
    pub is: Says,
    /// The verdict in a few words.
    pub title: String,
    /// Why.
    pub why: String,
    /// Whether the candidate loses no more than the margin, and that in words; `None`: there is nothing to judge.
    pub guard: Option<(Says, String)>,
    /// What else is clear, in sentences.
    pub findings: Vec<String>,
    /// What was paired, each with the list of it.
    pub audit: Vec<AuditShown>,
    /// How cases were paired.
    pub by: PairBy,
    /// The deciding difference alone.
    pub deciding: Option<PlotShown>,
    /// Every measure, on one scale for each unit.
    pub measures: Vec<PlotShown>,
    /// Every figure of every measure.
    pub figures: TableShown,
    /// Outcomes on both sides.
    pub matrix: MatrixShown,
    /// Words for the lists of pairs, their number, their address.
    pub lists: Vec<[String; 3]>,
    /// Measures that are still being computed, in words.
    pub pending: Option<String>,
    /// Where the difference comes from.
    pub parts: Vec<PartsShown>,
    /// Checkpoints side by side.
    pub checkpoints: Option<TableShown>,
    /// What the files say about how either side was made, as far as it differs.
    pub configuration: Vec<ConfigShown>,
}

/// A difference split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartsShown {
    /// By what: `group`.
    pub by: String,
    /// What the parts add up to.
    pub sum: String,
    /// That every part moved one way and the whole the other one.
    pub reversal: Option<String>,
    /// The parts.
    pub plot: PlotShown,
    /// Parts that are not shown.
    pub n_more: u64,
}

pub(super) fn shown(
    versus: &Versus,
    sides: &[SideLine],
    drawn: &CompareContext<'_>,
) -> VersusShown {
    let letter = sides.get(versus.side).map_or('?', |side| side.letter);
    let margin = versus.margin.0;
    let deciding = versus.measures.first().filter(|line| decides(line));
    let guard = deciding.map(|line| {
        let size = DifferenceScale::of(line).with_unit(margin);
        let size = size.trim_start_matches('+').replace(".0 ", " ");
        match versus.guard {
            Guard::Held => (Says::Better, said::guard_held(letter, &size)),
            Guard::Broken => (Says::Worse, said::guard_broken(letter, &size)),
            Guard::Undecided => (Says::Unsure, said::guard_undecided(letter, &size)),
        }
    });
    let alone = deciding.map(|line| measured(line, letter, margin, drawn));
    VersusShown {
        side: versus.side,
        letter: letter.to_string(),
        is: match versus.verdict.is {
            VerdictIs::Better => Says::Better,
            VerdictIs::Worse => Says::Worse,
            VerdictIs::Same => Says::Same,
            VerdictIs::CannotTell => Says::Unsure,
        },
        title: verdict_title(versus, sides.len()),
        why: verdict_why(versus, sides.len()),
        guard,
        findings: findings(versus, letter),
        audit: audit(versus, letter, drawn),
        by: versus.audit.by,
        deciding: alone.zip(deciding).and_then(|(row, line)| {
            plot(vec![row], DifferenceScale::of(line), Some(margin), ends(letter, line))
        }),
        measures: measures(versus, letter, drawn),
        figures: figures(versus, drawn.look),
        matrix: matrix(versus, drawn),
        pending: (versus.n_pending > 0).then(|| said::PENDING.to_owned()),
        lists: lists(versus, drawn),
        parts: versus.parts.iter().filter_map(|one| parts(one, versus, letter, drawn)).collect(),
        checkpoints: checkpoints(versus, drawn.look),
        configuration: configuration(versus),
    }
}

/// The verdict in a few words; of several candidates, also what is left of it when it is asked of all of them.
pub fn verdict_title(versus: &Versus, n_sides: usize) -> String {
    let title = &versus.verdict.title;
    if words::is_undone(versus) {
        return said::undone_title(title, n_sides);
    }
    title.clone()
}

/// Why, and the p that allows for all candidates.
pub fn verdict_why(versus: &Versus, n_sides: usize) -> String {
    let why = &versus.verdict.why;
    let is_clear = matches!(versus.verdict.is, VerdictIs::Better | VerdictIs::Worse);
    match versus.p_of_sides.filter(|_| is_clear) {
        Some(p) => said::why_corrected(why, n_sides as u64 - 1, &words::chance(p.0)),
        None => why.clone(),
    }
}

/// What changed, in a line: `3 regressed, 7 fixed; +2.1 points, 95 % −0.4 to +4.6: cannot tell yet`.
pub fn line(found: &Comparison, versus: &Versus) -> Option<String> {
    let deciding = versus.measures.first().filter(|line| decides(line))?;
    let scale = DifferenceScale::of(deciding);
    let apart = scale.with_unit(deciding.difference.0);
    let difference = match deciding.ci95 {
        Some([low, high]) => {
            said::with_interval(&apart, &words::range(&scale.signed(low.0), &scale.signed(high.0)))
        }
        None => apart,
    };
    let says = match versus.verdict.is {
        VerdictIs::Better => said::BETTER,
        VerdictIs::Worse => said::WORSE,
        VerdictIs::Same => said::SAME,
        VerdictIs::CannotTell => said::CANNOT_TELL,
    };
    let names = found.sides.first().zip(found.sides.get(versus.side));
    let names = names.map_or(["", ""], |(one, two)| [one.label.as_str(), two.label.as_str()]);
    let counts = [versus.changes.regressed, versus.changes.fixed];
    Some(said::line(names, counts, &difference, says))
}

pub(super) fn decides(line: &MeasureLine) -> bool {
    matches!(line.measure, Valued::PassRate | Valued::Score)
}

/// What it means to lie left and right of 0.
fn ends(letter: char, line: &MeasureLine) -> [String; 2] {
    [false, true].map(|is_up| beyond(is_up, line, letter).1)
}

/// What it means to lie above 0, or below.
fn beyond(is_up: bool, line: &MeasureLine, letter: char) -> (Says, String) {
    match (line.way, is_up) {
        (BetterDirection::Mixed, true) => (Says::Unsure, said::has_more(letter)),
        (BetterDirection::Mixed, false) => (Says::Unsure, said::has_less(letter)),
        (BetterDirection::Down, true) if line.measure.is_spent() => {
            (Says::Worse, said::takes_more(letter))
        }
        (BetterDirection::Down, false) if line.measure.is_spent() => {
            (Says::Better, said::takes_less(letter))
        }
        (BetterDirection::Up, true) | (BetterDirection::Down, false) => {
            (Says::Better, said::is_better(letter))
        }
        (BetterDirection::Up, false) | (BetterDirection::Down, true) => {
            (Says::Worse, said::is_worse(letter))
        }
    }
}

/// A measure as a row, in the unit of its scale.
pub(super) fn measured(
    line: &MeasureLine,
    letter: char,
    margin: f64,
    drawn: &CompareContext<'_>,
) -> ForestDifference {
    let scale = DifferenceScale::of(line);
    let (difference, interval) = match scale {
        DifferenceScale::Percent => (
            line.ratio.map(|ratio| ratio.0 - 1.0),
            line.ratio_ci95.map(|[low, high]| [low.0 - 1.0, high.0 - 1.0]),
        ),
        _ => (Some(line.difference.0), line.ci95.map(|[low, high]| [low.0, high.0])),
    };
    let margin = (scale == DifferenceScale::Points).then_some(margin);
    let (name, is_code) = words::measure(line);
    let row = RowShown {
        name,
        is_code,
        address: None,
        n: count(line.n),
        values: [line.baseline, line.candidate]
            .map(|value| words::value(line, value.0, drawn.look))
            .to_vec(),
        mark: None,
        difference: difference.map_or("–".to_owned(), |value| match scale {
            DifferenceScale::Percent => scale.with_unit(value),
            _ => scale.signed(value),
        }),
        interval: interval.map_or("–".to_owned(), |[low, high]| {
            words::range(&scale.signed(low), &scale.signed(high))
        }),
        says: match interval {
            Some(interval) => says(interval, margin, line, letter),
            None => (Says::Unsure, words::no_interval(line).to_owned()),
        },
        p: line.p_holm.map_or("–".to_owned(), |p| words::chance(p.0)),
        adds: None,
    };
    ForestDifference { row, difference, ends: interval }
}

fn says(
    [low, high]: [f64; 2],
    margin: Option<f64>,
    line: &MeasureLine,
    letter: char,
) -> (Says, String) {
    if low > 0.0 {
        beyond(true, line, letter)
    } else if high < 0.0 {
        beyond(false, line, letter)
    } else if margin.is_some_and(|margin| low >= -margin && high <= margin) {
        (Says::Same, said::SAME.to_owned())
    } else {
        (Says::Unsure, said::CANNOT_TELL.to_owned())
    }
}

/// The measures by unit, each unit on a scale of its own and apart from those that are better the other way; what has
/// no unit stands alone.
fn measures(versus: &Versus, letter: char, drawn: &CompareContext<'_>) -> Vec<PlotShown> {
    let margin = versus.margin.0;
    let of = |scale: DifferenceScale, lines: Vec<&MeasureLine>| {
        let ends = ends(letter, lines.first()?);
        let rows: Vec<ForestDifference> =
            lines.into_iter().map(|line| measured(line, letter, margin, drawn)).collect();
        plot(rows, scale, (scale == DifferenceScale::Points).then_some(margin), ends)
    };
    let with = |scale: DifferenceScale| {
        versus
            .measures
            .iter()
            .filter(move |line| DifferenceScale::of(line) == scale)
            .collect::<Vec<_>>()
    };
    let mut plots: Vec<PlotShown> = Vec::new();
    for way in [BetterDirection::Up, BetterDirection::Down, BetterDirection::Mixed] {
        let own = with(DifferenceScale::Points).into_iter().filter(|line| line.way == way);
        plots.extend(of(DifferenceScale::Points, own.collect()));
    }
    for line in with(DifferenceScale::Plain) {
        plots.extend(of(DifferenceScale::Plain, vec![line]));
    }
    plots.extend(of(DifferenceScale::Percent, with(DifferenceScale::Percent)));
    plots
}

/// Measures other than the deciding one whose interval leaves 0 out.
fn findings(versus: &Versus, letter: char) -> Vec<String> {
    let mut found = Vec::new();
    for line in versus.measures.iter().skip(1) {
        let scale = DifferenceScale::of(line);
        let interval = match scale {
            DifferenceScale::Percent => line.ratio_ci95,
            _ => line.ci95,
        };
        let Some([low, high]) = interval.map(|[low, high]| match scale {
            DifferenceScale::Percent => [low.0 - 1.0, high.0 - 1.0],
            _ => [low.0, high.0],
        }) else {
            continue;
        };
        if (low <= 0.0 && high >= 0.0) || found.len() == 3 {
            continue;
        }
        let (name, _) = words::measure(line);
        let by = match (scale, line.ratio) {
            (DifferenceScale::Percent, Some(ratio)) => scale.with_unit(ratio.0 - 1.0),
            _ => scale.with_unit(line.difference.0),
        };
        let (_, says) = says([low, high], None, line, letter);
        found.push(said::finding(&name, &by, &says));
    }
    if let Some(own) = &versus.own_score {
        let by = DifferenceScale::Plain.signed(own.difference.0);
        let (from, to) = (own.baseline.0, own.candidate.0);
        found.push(match own.ci95 {
            Some([low, high]) => {
                let ends = words::range(
                    &DifferenceScale::Plain.signed(low.0),
                    &DifferenceScale::Plain.signed(high.0),
                );
                said::own_score_interval(&by, from, to, &ends)
            }
            None => said::own_score(&by, from, to),
        });
    }
    found
}

fn parts(
    parts: &SplitDifference,
    versus: &Versus,
    letter: char,
    drawn: &CompareContext<'_>,
) -> Option<PartsShown> {
    let deciding = versus.measures.first()?;
    let scale = DifferenceScale::of(deciding);
    let mut sorted: Vec<&DifferencePart> = parts.parts.iter().collect();
    sorted.order_by(|one, two| {
        two.contribution.0.abs().total_cmp(&one.contribution.0.abs()).then(one.name.cmp(&two.name))
    });
    let n_more = sorted.len().saturating_sub(MAX_PARTS) as u64;
    let rows = sorted.into_iter().take(MAX_PARTS).map(|part| {
        let interval = part.ci95.map(|[low, high]| [low.0, high.0]);
        let name = part.name.clone();
        let row = RowShown {
            is_code: !name.is_empty(),
            name: if name.is_empty() { said::no_part(&parts.called) } else { name.clone() },
            address: Some(of_part(parts.by, name, drawn)),
            n: count(part.n),
            values: Vec::new(),
            mark: None,
            difference: scale.signed(part.difference.0),
            interval: interval.map_or("–".to_owned(), |[low, high]| {
                words::range(&scale.signed(low), &scale.signed(high))
            }),
            // Where parts stand, what they add stands in this place.
            says: (Says::Unsure, String::new()),
            p: part.p_holm.map_or("–".to_owned(), |p| words::chance(p.0)),
            adds: Some(scale.signed(part.contribution.0)),
        };
        ForestDifference { row, difference: Some(part.difference.0), ends: interval }
    });
    let margin = (scale == DifferenceScale::Points).then_some(versus.margin.0);
    Some(PartsShown {
        by: parts.called.clone(),
        sum: scale.with_unit(deciding.difference.0),
        reversal: parts.reversal.clone(),
        plot: plot(rows.collect(), scale, margin, ends(letter, deciding))?,
        n_more,
    })
}

/// The list of the pairs of a part.
fn of_part(by: PartBy, name: String, drawn: &CompareContext<'_>) -> String {
    drawn.address(|view| *view = CompareView { within: Some((by, name)), ..view.unfiltered() })
}
