//! The fuzzer: libFuzzer feeds one target, which the variable `EVALGLASS_FUZZ` names. `scripts/fuzz.mjs` builds and runs it.
//!
//! The targets and the helpers of `tests/it` that they use are compiled into this program and into the native tests alike.
#![no_main]
#![allow(
    dead_code,
    missing_docs,
    reason = "helpers of the tests are shared, and not all of each is used here"
)]

#[path = "../../tests/it/markup.rs"]
mod markup;
#[path = "."]
mod reading {
    #[path = "../../tests/it/reading/crawl.rs"]
    pub mod crawl;
    #[path = "../../tests/it/reading/made.rs"]
    pub mod made;
    #[path = "../../tests/it/reading/seen.rs"]
    pub mod seen;
}
#[path = "../targets/mod.rs"]
mod targets;

use std::sync::LazyLock;

static TARGET: LazyLock<&'static targets::Target> = LazyLock::new(|| {
    let name = std::env::var("EVALGLASS_FUZZ").unwrap_or_default();
    targets::named(&name).unwrap_or_else(|| {
        // `scripts/fuzz.mjs` asks for the list so.
        targets::TARGETS.iter().for_each(|target| println!("{}", target.name));
        std::process::exit(if name == "list" { 0 } else { 2 })
    })
});

libfuzzer_sys::fuzz_target!(init: {
    LazyLock::force(&TARGET);
    // libFuzzer ends at once when anything panics. What a library does inside of `guarded` is caught and says what is wrong with
    // the file; any other panic unwinds to libFuzzer and ends it there.
    drop(std::panic::take_hook());
}, |input: &[u8]| {
    targets::check(&TARGET, input);
});
