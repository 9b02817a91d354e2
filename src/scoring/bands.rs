//! The bands of scores that the guide of letta-evals gives words for.

/// A band: it reaches from its lower end up to, not including, the next one's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// Its ends as the guide prints them.
    pub range: &'static str,
    /// The guide's words for it.
    pub meaning: &'static str,
    /// Lower end, which belongs to it.
    pub low: f64,
    /// Upper end, which belongs to the next band; `None`: it holds `low` alone.
    pub high: Option<f64>,
}

/// The bands, best first.
///
/// Source: "Score Ranges" in the guide of letta-evals about results, which prints two decimals and says
/// nothing of values between them: 0.795 belongs to 0.6–0.79 here, 0.995 to 0.8–0.99.
pub const BANDS: [Band; 6] = [
    band("1.0", "Perfect", 1.0, None),
    band("0.8–0.99", "Very good", 0.8, Some(1.0)),
    band("0.6–0.79", "Good", 0.6, Some(0.8)),
    band("0.4–0.59", "Acceptable", 0.4, Some(0.6)),
    band("0.2–0.39", "Poor", 0.2, Some(0.4)),
    band("0.0–0.19", "Failed", 0.0, Some(0.2)),
];

const fn band(range: &'static str, meaning: &'static str, low: f64, high: Option<f64>) -> Band {
    Band { range, meaning, low, high }
}

/// Where a score lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BandOf {
    /// In this one of [`BANDS`].
    Band(usize),
    /// Below 0.
    Below,
    /// Above 1.
    Above,
    /// There is no score, or it is not a number.
    None,
}

/// Where `score` lies among the bands.
pub fn band_of(score: Option<f64>) -> BandOf {
    match score.filter(|score| !score.is_nan()) {
        None => BandOf::None,
        Some(score) if score > 1.0 => BandOf::Above,
        Some(score) => {
            BANDS.iter().position(|band| score >= band.low).map_or(BandOf::Below, BandOf::Band)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_reaches_up_to_the_next_one() {
        for (score, range) in [
            (1.0, "1.0"),
            (1.0_f64.next_down(), "0.8–0.99"),
            (0.995, "0.8–0.99"),
            (0.8, "0.8–0.99"),
            (0.8_f64.next_down(), "0.6–0.79"),
            (0.795, "0.6–0.79"),
            (0.6, "0.6–0.79"),
            (0.599, "0.4–0.59"),
            (0.4, "0.4–0.59"),
            (0.2, "0.2–0.39"),
            (0.2_f64.next_down(), "0.0–0.19"),
            (0.0, "0.0–0.19"),
            (-0.0, "0.0–0.19"),
        ] {
            let BandOf::Band(at) = band_of(Some(score)) else { panic!("{score} is in no band") };
            assert_eq!(BANDS[at].range, range, "{score}");
        }
        assert_eq!(band_of(Some(1.0_f64.next_up())), BandOf::Above);
        assert_eq!(band_of(Some(f64::INFINITY)), BandOf::Above);
        assert_eq!(band_of(Some(-f64::MIN_POSITIVE)), BandOf::Below);
        assert_eq!(band_of(Some(f64::NAN)), BandOf::None);
        assert_eq!(band_of(None), BandOf::None);
    }

    #[test]
    fn bands_follow_one_another_without_a_gap() {
        for pair in BANDS.windows(2) {
            assert_eq!(pair[1].high, Some(pair[0].low));
        }
    }
}
