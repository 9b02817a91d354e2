//! What sets marks apart: colour by class, and a hatch or a shape besides.

use super::canvas::px;
use serde::{Deserialize, Serialize};

/// Why a mark looks as it does. The style sheet gives the colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tone {
    /// Nothing sets it apart.
    Plain,
    /// Behind the others.
    Faint,
    /// Of something that passed.
    Passed,
    /// Of something that failed.
    Failed,
    /// Of something that could not be judged.
    Error,
    /// Of something that was not run.
    Skipped,
    /// Of something that has a score, but no rule that says what passes.
    Scored,
    /// Of something without a verdict and without a score.
    Unscored,
    /// Of the series of this number, 0-based; after [`Tone::N_SERIES`] they begin anew.
    Series(u8),
}

/// How a bar is hatched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hatch {
    /// Completes the pattern's id.
    pub name: &'static str,
    /// What is drawn on each square of [`HATCH`] side.
    pub path: &'static str,
}

/// Side of the square that a hatch repeats.
pub(super) const HATCH: f64 = 6.0;

impl Tone {
    /// How many series look different.
    pub const N_SERIES: u8 = 8;

    /// Those of outcomes, in the order in which they are listed.
    pub(super) const OUTCOMES: [Self; 6] =
        [Self::Passed, Self::Failed, Self::Error, Self::Skipped, Self::Scored, Self::Unscored];

    /// Its class.
    pub(super) fn class(self) -> String {
        match self {
            Self::Series(number) => format!("tone-series-{}", number % Self::N_SERIES + 1),
            other => format!("tone-{}", other.word()),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Faint => "faint",
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Error => "error",
            Self::Skipped => "skipped",
            Self::Scored => "scored",
            Self::Unscored => "unscored",
            Self::Series(_) => "series",
        }
    }

    /// How bars of it are hatched; passed ones are full.
    pub(super) fn hatch(self) -> Option<Hatch> {
        let (name, path) = match self {
            Self::Failed => ("failed", "M-1 1l2 -2M0 6l6 -6M5 7l2 -2"),
            Self::Error => ("error", "M0 0l6 6M0 6l6 -6"),
            Self::Skipped => ("skipped", "M1 0v6M4 0v6"),
            Self::Scored => ("scored", "M1.5 1.5h1M4.5 4.5h1"),
            Self::Unscored => ("unscored", "M0 1h6M0 4h6"),
            _ => return None,
        };
        Some(Hatch { name, path })
    }

    /// The path of its shape around a point, about `r` to each side.
    pub(super) fn shape(self, x: f64, y: f64, r: f64) -> String {
        let number = match self {
            Self::Series(number) => number % Self::N_SERIES,
            Self::Failed => 1,
            Self::Error => 3,
            Self::Skipped => 5,
            Self::Scored => 6,
            Self::Unscored => 2,
            _ => 0,
        };
        let at = |dx: f64, dy: f64| format!("{} {}", px(x + dx * r), px(y + dy * r));
        let closed = |points: &[(f64, f64)]| {
            let points: Vec<String> = points.iter().map(|&(dx, dy)| at(dx, dy)).collect();
            format!("M{}Z", points.join("L"))
        };
        match number {
            0 => {
                let (left, right, r) = (at(-1.0, 0.0), at(1.0, 0.0), px(r));
                format!("M{left}A{r} {r} 0 1 1 {right}A{r} {r} 0 1 1 {left}Z")
            }
            1 => closed(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
            2 => closed(&[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)]),
            3 => closed(&[(0.0, -1.2), (1.15, 0.9), (-1.15, 0.9)]),
            4 => closed(&[(0.0, 1.2), (1.15, -0.9), (-1.15, -0.9)]),
            5 => closed(&[
                (-0.4, -1.2),
                (0.4, -1.2),
                (0.4, -0.4),
                (1.2, -0.4),
                (1.2, 0.4),
                (0.4, 0.4),
                (0.4, 1.2),
                (-0.4, 1.2),
                (-0.4, 0.4),
                (-1.2, 0.4),
                (-1.2, -0.4),
                (-0.4, -0.4),
            ]),
            6 => closed(&[(0.0, -1.2), (1.14, -0.37), (0.71, 0.97), (-0.71, 0.97), (-1.14, -0.37)]),
            _ => closed(&[
                (-1.1, -1.1),
                (0.0, -0.4),
                (1.1, -1.1),
                (0.4, 0.0),
                (1.1, 1.1),
                (0.0, 0.4),
                (-1.1, 1.1),
                (-0.4, 0.0),
            ]),
        }
    }
}
