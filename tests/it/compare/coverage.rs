//! Seeded simulations: how often a 95 % interval of a difference holds it, and how often a test at 5 %
//! raises an alarm where there is none.

use evalglass::stats::paired::{PairedTable, clustered, differences, sign_flip};
use evalglass::stats::{Interval, mean};

/// A small generator, apart from the library's own.
struct Draws(u64);

impl Draws {
    fn unit(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut mixed = self.0;
        mixed ^= mixed >> 33;
        mixed = mixed.wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^= mixed >> 33;
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Nearly normal, deviation 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    /// Two outcomes of a case: each passes at its rate, both by the same draw for the share `tied` of cases.
    fn pair(&mut self, rates: (f64, f64), tied: f64) -> (bool, bool) {
        let own = self.unit();
        let other = if self.unit() < tied { own } else { self.unit() };
        (own < rates.0, other < rates.1)
    }
}

fn holds(interval: Option<Interval>, truth: f64) -> bool {
    interval.is_some_and(|ci| ci.low <= truth && truth <= ci.high)
}

const N_ROUNDS: u32 = 4_000;

#[test]
fn paired_score_intervals_cover() {
    let mut covered_all = 0.0;
    let mut n_settings = 0.0;
    for (seed, n) in [(1, 20), (2, 60), (3, 300)] {
        for rates in [(0.5, 0.5), (0.9, 0.9), (0.5, 0.6), (0.9, 0.8)] {
            let mut draws = Draws(seed);
            let (mut covered, mut alarms, mut mid_alarms) = (0, 0, 0);
            for _ in 0..N_ROUNDS {
                let mut table = PairedTable::default();
                for _ in 0..n {
                    let (a, b) = draws.pair(rates, 0.5);
                    table.add(a, b);
                }
                covered += u32::from(holds(table.interval(), rates.1 - rates.0));
                let test = table.mcnemar();
                alarms += u32::from(test.p < 0.05);
                mid_alarms += u32::from(test.p_mid < 0.05);
            }
            let share = |n: u32| f64::from(n) / f64::from(N_ROUNDS);
            if rates.0 < 0.9 || n > 60 {
                covered_all += share(covered);
                n_settings += 1.0;
            }
            // Where few cases fail, counts come in so few steps that no interval can cover just 95 %:
            // this one covers more, never less.
            let limit = if n >= 300 { 0.965 } else { 1.0 };
            assert!((0.94..=limit).contains(&share(covered)), "{n} {rates:?}: {}", share(covered));
            if rates.0 == rates.1 {
                assert!(share(alarms) <= 0.055, "{n} {rates:?}: {}", share(alarms));
                assert!(share(mid_alarms) <= 0.06, "{n} {rates:?}: {}", share(mid_alarms));
            }
        }
    }
    let covered = covered_all / n_settings;
    assert!((0.94..=0.96).contains(&covered), "{covered}");
}

#[test]
fn t_intervals_cover_and_flips_raise_few_alarms() {
    for (seed, n, n_rounds) in [(4, 20_u32, 4_000_u32), (5, 60, 4_000), (6, 300, 2_000)] {
        let mut draws = Draws(seed);
        let (mut covered, mut alarms, mut n_tests) = (0, 0, 0);
        for round in 0..n_rounds {
            // Skewed values, as scores near 1 are.
            let apart: Vec<f64> = (0..n)
                .map(|_| draws.normal() * 0.2 + 0.1 * (draws.unit() - draws.unit()))
                .collect();
            let found = differences(&apart).unwrap();
            covered += u32::from(holds(found.interval, 0.0));
            // Every flip of 20 is quick; 100,000 of more are not, without optimisation.
            if n <= 20 || round < 40 {
                n_tests += 1;
                alarms += u32::from(sign_flip(&apart).p < 0.05);
            }
        }
        let covered = f64::from(covered) / f64::from(n_rounds);
        assert!((0.94..=0.96).contains(&covered), "{n}: {covered}");
        let limit = if n_tests > 1_000 { 0.055 } else { 0.15 };
        let alarms = f64::from(alarms) / f64::from(n_tests);
        assert!(alarms <= limit, "{n}: {alarms}");
    }
}

#[test]
fn clustered_intervals_cover_where_plain_ones_do_not() {
    let mut draws = Draws(7);
    let (n_clusters, n_each, n_rounds) = (30_u32, 10_u32, 3_000_u32);
    let (mut covered, mut plainly) = (0, 0);
    for _ in 0..n_rounds {
        let (mut apart, mut clusters) = (Vec::new(), Vec::new());
        for cluster in 0..n_clusters {
            let shared = draws.normal();
            for _ in 0..n_each {
                apart.push(0.1 + 0.2 * shared + 0.2 * draws.normal());
                clusters.push(cluster);
            }
        }
        let robust = clustered(&apart, &clusters, n_clusters as usize).unwrap();
        covered += u32::from(holds(Some(robust.interval), 0.1));
        plainly += u32::from(holds(differences(&apart).unwrap().interval, 0.1));
        assert!((mean(apart.iter().copied()).unwrap() - 0.1).abs() < 0.3);
    }
    let share = |n: u32| f64::from(n) / f64::from(n_rounds);
    assert!((0.94..=0.96).contains(&share(covered)), "{}", share(covered));
    assert!(share(plainly) < 0.8, "{}", share(plainly));
}
