//! Moments: what to count them in, and their words. All in UTC.

use crate::words::chart::MONTH_NAMES;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;

/// Steps of less than a month, in seconds.
const STEPS: [i64; 21] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
    172_800, 604_800, 1_209_600,
];
/// Steps in months.
const MONTHS: [i32; 10] = [1, 2, 3, 6, 12, 24, 60, 120, 600, 1200];
const DAY: i64 = 86_400;

/// Ticks of a stretch of time.
pub(super) struct TimeTicks {
    /// Moment and words.
    pub ticks: Vec<(f64, String)>,
    /// The day, where the words say only the time of day.
    pub day: Option<String>,
}

/// Ticks within `low` and `high`, at most about `n_most`.
pub(super) fn ticks(low: f64, high: f64, n_most: u32) -> TimeTicks {
    #[expect(clippy::cast_precision_loss, reason = "steps are small")]
    let step = STEPS.into_iter().find(|&step| (high - low) / step as f64 <= f64::from(n_most));
    match step {
        Some(step) => by_seconds(low, high, step),
        None => by_months(low, high, n_most),
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "seconds of known years are far below 2^53"
)]
fn by_seconds(low: f64, high: f64, step: i64) -> TimeTicks {
    // Steps of several days are counted from the first day shown, others from midnight.
    let origin = if step > DAY { (low as i64).div_euclid(DAY) * DAY } else { 0 };
    let first = ((low - origin as f64) / step as f64).ceil() as i64;
    let last = ((high - origin as f64) / step as f64).floor() as i64;
    let mut ticks = Vec::new();
    for n in first..=last {
        let at = origin + n * step;
        let Some(time) = civil(at as f64) else { continue };
        let text = if step >= DAY {
            format!("{} {}", time.day(), month(time.month()))
        } else if step >= 60 {
            format!("{:02}:{:02}", time.hour(), time.minute())
        } else {
            format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())
        };
        ticks.push((at as f64, text));
    }
    let date = |at: f64| civil(at).map(|time| time.date().to_string());
    let day = match (date(low), date(high)) {
        (Some(from), Some(to)) if step < DAY && from == to => Some(from),
        (Some(from), Some(to)) if step < DAY => Some(format!("{from} – {to}")),
        (Some(from), Some(to)) if from.get(..4) == to.get(..4) => {
            Some(from.get(..4).unwrap_or_default().to_owned())
        }
        _ => None,
    };
    TimeTicks { ticks, day }
}

fn by_months(low: f64, high: f64, n_most: u32) -> TimeTicks {
    let none = TimeTicks { ticks: Vec::new(), day: None };
    let (Some(from), Some(to)) = (civil(low), civil(high)) else { return none };
    let number = |time: DateTime| i32::from(time.year()) * 12 + i32::from(time.month()) - 1;
    let (from, to) = (number(from), number(to));
    let fits = |step: &i32| (to - from) / step <= i32::try_from(n_most).unwrap_or(i32::MAX);
    let step = MONTHS.into_iter().find(fits).unwrap_or(12_000);
    let first = from.div_euclid(step) * step;
    let mut ticks = Vec::new();
    let mut at = first;
    while at <= to {
        let (year, months) = (at.div_euclid(12), at.rem_euclid(12) + 1);
        let date = i16::try_from(year).ok().zip(i8::try_from(months).ok());
        let date = date.and_then(|(year, month)| Date::new(year, month, 1).ok());
        if let Some(secs) = date.and_then(|date| seconds(date.at(0, 0, 0, 0)))
            && (low..=high).contains(&secs)
        {
            let text = if step % 12 == 0 {
                year.to_string()
            } else {
                format!("{} {year}", month(i8::try_from(months).unwrap_or(1)))
            };
            ticks.push((secs, text));
        }
        at += step;
    }
    TimeTicks { ticks, day: None }
}

/// `2026-01-15 09:30:33`.
pub(super) fn moment(secs: f64) -> String {
    civil(secs).map_or_else(
        || crate::format::UNKNOWN.to_owned(),
        |time| time.to_string().replace('T', " "),
    )
}

#[expect(clippy::cast_possible_truncation, reason = "saturates, and such moments do not exist")]
fn civil(secs: f64) -> Option<DateTime> {
    let moment = Timestamp::from_second(secs.floor() as i64).ok()?;
    Some(Offset::UTC.to_datetime(moment))
}

#[expect(clippy::cast_precision_loss, reason = "seconds of known years are far below 2^53")]
fn seconds(time: DateTime) -> Option<f64> {
    Some(Offset::UTC.to_timestamp(time).ok()?.as_second() as f64)
}

fn month(number: i8) -> &'static str {
    usize::try_from(number - 1).ok().and_then(|at| MONTH_NAMES.get(at)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-01-15 09:30:00 UTC.
    const AT: f64 = 1_768_469_400.0;

    fn words(low: f64, high: f64) -> Vec<String> {
        ticks(low, high, 5).ticks.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn moments_are_counted_in_what_clocks_and_calendars_show() {
        assert_eq!(moment(AT), "2026-01-15 09:30:00");
        assert_eq!(
            words(AT, AT + 4.0),
            ["09:30:00", "09:30:01", "09:30:02", "09:30:03", "09:30:04"]
        );
        assert_eq!(words(AT - 60.0, AT + 3600.0), ["09:30", "09:45", "10:00", "10:15", "10:30"]);
        assert_eq!(words(AT, AT + 4.0 * 86_400.0), ["16 Jan", "17 Jan", "18 Jan", "19 Jan"]);
        assert_eq!(
            words(AT, AT + 120.0 * 86_400.0),
            ["Feb 2026", "Mar 2026", "Apr 2026", "May 2026"]
        );
        assert_eq!(words(AT, AT + 2000.0 * 86_400.0), ["2027", "2028", "2029", "2030", "2031"]);
    }

    #[test]
    fn times_of_day_come_with_their_day() {
        assert_eq!(ticks(AT, AT + 60.0, 5).day.as_deref(), Some("2026-01-15"));
        let over = ticks(AT, AT + 72_000.0, 5).day;
        assert_eq!(over.as_deref(), Some("2026-01-15 – 2026-01-16"));
        assert_eq!(ticks(AT, AT + 9e7, 5).day, None);
    }
}
