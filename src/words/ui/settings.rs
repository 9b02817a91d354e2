//! Words of the settings.

/// How shares are written.
pub const RATES: &str = "Rates";
/// The ways: as per cent, as a fraction.
pub const RATE_WAYS: [&str; 2] = ["83.3 %", "0.833"];
/// How many decimals numbers have.
pub const DECIMALS: &str = "Decimals";
/// As many as fit the number.
pub const DECIMALS_USUAL: &str = "as usual";
/// None at all.
pub const DECIMALS_NONE: &str = "none";
/// How high rows are.
pub const ROWS: &str = "Rows of the cases";
/// The ways: high, low.
pub const ROW_WAYS: [&str; 2] = ["comfortable", "dense"];
/// What is read of folders that agents leave.
pub const FOLDERS: &str = "Folders agent and snapshot";
/// Of them, only what an agent said.
pub const FOLDERS_STREAMS: &str = "event streams only";
/// All of them.
pub const FOLDERS_WHOLE: &str = "read whole, from the next opening on";
/// How many files are read at once.
pub const READERS: &str = "Parallel readers";
/// As many as the machine has cores.
pub const READERS_ALL: &str = "as many as cores";

/// So many.
pub fn readers(n: &str) -> String {
    format!("{n}, from the next visit on")
}
