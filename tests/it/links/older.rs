//! Addresses of older versions, as they were written then. They stay as they are: whatever the page
//! learns, these keep their meaning.

use super::{case_of, open_case, tree_of};
use crate::support::{core_of, fixture_files};
use evalglass::address::Route;
use evalglass::report::{HowName, RunRef, Topic};

/// An address and what is written for it today, with `0.26.0_reward_multirun` and `v1.0` open.
const KEPT: [(&str, &str); 26] = [
    ("#/1/overview", "overview"),
    ("#1/notes", "notes"),
    ("#/1/audit?all", "audit?all"),
    ("#/1/overview?of=0", "overview?of=LETTA"),
    ("#/1/statistics?of=1", "statistics?of=SLOP"),
    ("#/1/overview?of=1.2", "overview?of=SLOP&run=inventory_api/checkpoint_3/maple"),
    ("#/1/trends?of=1&measure=cost", "trends?of=SLOP&measure=cost"),
    ("#/1/trends?measure=nothing", "trends"),
    ("#/1/failures?of=x", "failures"),
    ("#/1/rules?set.policy=all-cases", "rules?set.policy=all-cases"),
    (
        "#/1/rules?set.weight%3Aa%20%26%20b=0&set.gate=min(%22x%22)%20%3E%3D%201",
        "rules?set.weight:a%20%26%20b=0&set.gate=min%28%22x%22%29%20%3E%3D%201",
    ),
    ("#/1/cases?find=time%20out", "cases?find=time%20out"),
    ("#/1/cases?find=old&only=failed,error", "cases?find=outcome:failed,error%20old"),
    ("#/1/cases?only=failed", "cases?find=outcome:failed"),
    ("#/1/cases?by=score&down", "cases?by=-score"),
    ("#/1/cases?down", "cases?by=-file"),
    ("#/1/cases?by=file", "cases"),
    ("#/1/cases?by=-score,id&columns=id,score", "cases?by=-score,id&columns=id,score"),
    ("#/1/cases?view=heat", "cases?view=heat"),
    ("#/1/cases?view=attempts", "cases?view=attempts"),
    (
        "#/1/cases?of=1.0&case=1.0.8&at=4",
        "cases?of=SLOP&run=inventory_api/checkpoint_1/maple&case=~8&at=4",
    ),
    (
        "#/1/cases?case=1.0.8",
        "cases?case.of=SLOP&case.run=inventory_api/checkpoint_1/maple&case=~8",
    ),
    ("#/1/overview?of=1&how=e1", "overview?of=SLOP&how=evaluation"),
    (
        "#/1/overview?of=1&how=1.1",
        "overview?of=SLOP&how.run=inventory_api/checkpoint_2/maple&how=run",
    ),
    (
        "#/1/overview?of=1.0&how=1.0.g0",
        "overview?of=SLOP&run=inventory_api/checkpoint_1/maple&how=group:~0",
    ),
    (
        "#/1/overview?of=1.0&how=1.0.8",
        "overview?of=SLOP&run=inventory_api/checkpoint_1/maple&how=case:~8",
    ),
];

#[test]
fn addresses_of_older_versions_mean_what_they_meant() {
    let core = core_of(fixture_files("letta-evals/0.26.0_reward_multirun"));
    let more = fixture_files("slop-code/g2/v1.0");
    pollster::block_on(core.open(more, Vec::new(), &evalglass::input::Pulse::silent())).unwrap();
    let tree = tree_of(&core);
    for (old, new) in KEPT {
        let new = new
            .replace("LETTA", "letta-evals:0.26.0_reward_multirun")
            .replace("SLOP", "slop-code:v1.0/maple-3_20260430T1200");
        let route = Route::from_hash(old, &tree);
        assert_eq!(route.to_hash(&tree), format!("#/2/{new}"), "{old}");
        assert_eq!(Route::from_hash(&route.to_hash(&tree), &tree), route, "{old}");
        // The worker knows rows by their place, and says what the case is called.
        if let Some(place) = &route.case {
            assert_eq!(
                case_of(open_case(&core, place).unwrap()).key,
                "checkpoint_1-Functionality/test_unicode_names"
            );
        }
        if let Some(how) = route.how {
            assert!(core.sections(Topic::How(how)).is_ok(), "{old}");
        }
    }
    let run = RunRef { evaluation: 1, run: 0 };
    let how = Route::from_hash("#/1/overview?how=1.0.g0", &tree).how;
    assert!(matches!(how, Some(HowName::Group { run: found, .. }) if found == run));
}

#[test]
fn an_older_address_waits_for_its_files_and_says_so() {
    for old in ["#/1/cases?of=1.0&case=1.0.8", "#/1/cases?case=1.0.8", "#/1/overview?how=e1"] {
        let route = Route::from_hash(old, &());
        let words = route.missing.as_ref().unwrap().words();
        assert!(words[0].contains("evaluation number 2"), "{words:?}");
        assert!(words[1].contains("the same order"), "{words:?}");
        assert_eq!(Route::from_hash(&route.to_hash(&()), &()), route, "{old}");
    }
}

#[test]
fn what_never_was_an_address_is_none() {
    for hash in
        ["#/1/cases?case=1.0", "#/1/cases?case=x.0.1", "#/1/cases?case=-1.0.1", "#/1/x?how=1"]
    {
        let route = Route::from_hash(hash, &());
        assert!(route.case.is_none() && route.how.is_none() && route.missing.is_none(), "{hash}");
    }
}
