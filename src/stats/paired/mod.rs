//! Two values of each case: how far they lie apart, how sure that is, and what chance alone would do.
//!
//! All of it works on the differences of the cases, `candidate − baseline`. Draws are seeded, and do not
//! depend on the order of the cases; to swap the sides mirrors every interval.

mod differences;
mod flips;
mod holm;
mod long;
mod ranks;
mod resamples;
mod table;
mod trials;

pub use differences::{Clustered, Differences, Power, clustered, differences};
pub use flips::{FlipTest, MAX_EXACT, N_FLIPS, sign_flip};
pub use holm::holm;
pub use ranks::{Ranking, letters, ranking};
pub use resamples::{N_RESAMPLES, PairResamples};
pub use table::{McNemar, PairedTable};
pub use trials::{TrialVariance, trial_variance};
