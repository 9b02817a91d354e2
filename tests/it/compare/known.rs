//! Every value of `tests/fixtures/compare/known.json`.

use evalglass::stats::paired::{
    PairResamples, PairedTable, clustered, differences, holm, sign_flip,
};
use serde_json::Value;

fn known() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/compare/known.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect()
}

#[track_caller]
fn same(what: &str, found: Option<f64>, expected: &Value) {
    match (found, expected.as_f64()) {
        (Some(found), Some(expected)) => {
            assert!((found - expected).abs() <= 1e-9, "{what}: {found} instead of {expected}");
        }
        (found, expected) => assert_eq!(found, expected, "{what}"),
    }
}

#[test]
fn tests_of_outcome_tables_give_the_known_answers() {
    let known = known();
    let tables = known["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 10);
    for expected in tables {
        let count = |name: &str| expected[name].as_u64().unwrap();
        let table = PairedTable {
            both: count("both"),
            only_baseline: count("only_baseline"),
            only_candidate: count("only_candidate"),
            neither: count("neither"),
        };
        let interval = table.interval();
        same("difference", table.difference(), &expected["difference"]);
        same("low", interval.map(|i| i.low), &expected["ci95"][0]);
        same("high", interval.map(|i| i.high), &expected["ci95"][1]);
        let test = table.mcnemar();
        same("p", Some(test.p), &expected["p"]);
        same("p_mid", Some(test.p_mid), &expected["p_mid"]);
        let power = table.power();
        same("mdd80", power.mdd80, &expected["mdd80"]);
        assert_eq!(power.pairs_needed, expected["pairs_needed"].as_u64());
    }
}

#[test]
fn tests_of_differences_give_the_known_answers() {
    let known = known();
    let vectors = known["vectors"].as_array().unwrap();
    assert_eq!(vectors.len(), 7);
    for expected in vectors {
        let (baseline, candidate) =
            (numbers(&expected["baseline"]), numbers(&expected["candidate"]));
        let apart: Vec<f64> = baseline.iter().zip(&candidate).map(|(a, b)| b - a).collect();
        let n = apart.len();
        let found = differences(&apart).unwrap();
        same("difference", Some(found.mean), &expected["difference"]);
        same("se", found.se, &expected["se"]);
        same("low", found.interval.map(|i| i.low), &expected["ci95"][0]);
        same("high", found.interval.map(|i| i.high), &expected["ci95"][1]);
        same("mdd80", found.power.mdd80, &expected["mdd80"]);
        assert_eq!(found.power.pairs_needed, expected["pairs_needed"].as_u64());
        let test = sign_flip(&apart);
        if let Some(p) = expected["p"].as_f64() {
            assert!(test.is_exact);
            same("p", Some(test.p), &p.into());
        } else {
            let wanted = expected["p_wanted_near"].as_f64().unwrap();
            assert!(!test.is_exact);
            assert!((test.p - wanted).abs() < 0.005, "{n}: p {} instead of {wanted}", test.p);
        }
        if expected["ci95_bca_near"].is_array() {
            let wanted = numbers(&expected["ci95_bca_near"]);
            let found = PairResamples::draw(&baseline, &candidate).unwrap().difference().unwrap();
            // Of fewer, a percentile of so few different means moves by leaps.
            let allowed = if n >= 16 { 0.04 } else { 0.15 } * (wanted[1] - wanted[0]);
            assert!((found.low - wanted[0]).abs() <= allowed, "{n}: {found:?} for {wanted:?}");
            assert!((found.high - wanted[1]).abs() <= allowed, "{n}: {found:?} for {wanted:?}");
        }
        if expected["clusters"].is_array() {
            let clusters: Vec<u32> =
                numbers(&expected["clusters"]).iter().map(|one| *one as u32).collect();
            let n_clusters = *clusters.iter().max().unwrap() as usize + 1;
            let found = clustered(&apart, &clusters, n_clusters).unwrap();
            same("se_clustered", Some(found.se), &expected["se_clustered"]);
            same("low", Some(found.interval.low), &expected["ci95_clustered"][0]);
            same("high", Some(found.interval.high), &expected["ci95_clustered"][1]);
        }
    }
}

#[test]
fn corrected_p_values_are_the_known_ones() {
    for expected in known()["holm"].as_array().unwrap() {
        let p: Vec<Option<f64>> = numbers(&expected["p"]).into_iter().map(Some).collect();
        for (found, expected) in holm(&p).iter().zip(expected["p_holm"].as_array().unwrap()) {
            same("p_holm", *found, expected);
        }
    }
}
