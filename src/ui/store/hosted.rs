//! What comes with the page: results that the address names, what the host offers, a sealed report, newer versions.

use super::Store;
use crate::browser::{self, Picked, SessionStop};
use crate::hosting::{FoundResults, HostingPage as HostSaid};
use crate::report::Progress;
use crate::words::ui::hosted as words;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Names under which a program that stops leaves what the next one says again.
const SAID: &str = "said";
const SEALED: &str = "sealedWords";
const HAS_ASKED: &str = "hasAsked";

/// A sentence that stays until it is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The sentence.
    pub sentence: String,
    /// Whether its button takes the newer version of the page.
    pub is_update: bool,
}

/// What comes with the page. Copies are the same.
#[derive(Clone, Copy)]
pub struct Hosted {
    /// What the host has to say on the start page.
    pub said: RwSignal<Option<HostSaid>>,
    /// A sentence that stays until it is answered.
    pub notice: RwSignal<Option<Notice>>,
    /// What a sealed report says of itself, above every page.
    pub sealed: RwSignal<String>,
    stop: StoredValue<Option<SessionStop>, LocalStorage>,
}

impl Default for Hosted {
    fn default() -> Self {
        Self {
            said: RwSignal::new(None),
            notice: RwSignal::new(None),
            sealed: RwSignal::default(),
            stop: StoredValue::new_local(None),
        }
    }
}

impl Store {
    /// A sealed report: its view, and that it refuses files.
    pub(super) fn begin_sealed(hosted: Hosted) {
        browser::begin_sealed(move || hosted.notice.set(Some(notice(words::READ_ONLY))));
    }

    /// Opens what comes with the page. A program that is started anew has it, and says again what was said.
    pub(super) fn open_hosted(self) {
        let hosted = self.hosted;
        hosted.sealed.set(browser::left_text(SEALED).unwrap_or_default());
        let said = browser::left_text(SAID);
        hosted.said.set(said.and_then(|said| serde_json::from_str(&said).ok()));
        let is_first = browser::left_text(HAS_ASKED).is_none();
        browser::leave_text(HAS_ASKED, "yes");
        let texts = browser::asked_sources();
        let is_hosted = !browser::is_single();
        if is_first && browser::sealed().is_some() {
            self.open_sealed();
        } else if is_first && !texts.is_empty() {
            self.open_sources(texts);
        } else if is_first && is_hosted {
            return self.look_for_gallery();
        }
        if is_hosted {
            self.keep_offline();
        }
    }

    fn open_sealed(self) {
        self.n_opening.update(|n| *n += 1);
        spawn_local(async move {
            let results = browser::sealed_results().await;
            self.n_opening.update(|n| *n -= 1);
            match results {
                Some((picked, signature)) => {
                    let is_open = browser::sealed().unwrap_or(false);
                    let words = signature.map(|signature| signature.words(is_open));
                    let words = words.unwrap_or_default();
                    browser::leave_text(SEALED, &words);
                    self.hosted.sealed.set(words);
                    self.open(picked);
                }
                None => {
                    self.is_missing.set(true);
                    self.host_says(HostSaid::Damaged);
                }
            }
        });
    }

    fn open_sources(self, texts: Vec<String>) {
        let session = browser::fetching(move |progress| self.progress.set(progress));
        let Some((session, stop)) = session else { return };
        self.hosted.stop.set_value(stop);
        self.progress.set(Progress::default());
        self.n_opening.update(|n| *n += 1);
        spawn_local(async move {
            let found = session.sources(&texts).await;
            self.hosted.stop.set_value(None);
            self.n_opening.update(|n| *n -= 1);
            let (base, here) = (browser::base().unwrap_or_default(), browser::here());
            match found {
                Ok(FoundResults::Files { files, copy_of }) => {
                    if let Some(date) = copy_of {
                        self.hosted.notice.set(Some(notice(words::copy_of(&date))));
                    }
                    self.open(browser::found_files(files));
                }
                Ok(FoundResults::Gallery(gallery, at)) => {
                    self.host_says(HostSaid::gallery(&gallery, &at, &base, &browser::resolve));
                }
                Err(refused) => {
                    let here = here.unwrap_or_default();
                    self.is_missing.set(true);
                    self.host_says(HostSaid::refused(&refused, &here, &base, &browser::resolve));
                }
            }
        });
    }

    /// The gallery beside the page; then the page is kept for visits without a network.
    fn look_for_gallery(self) {
        let Some((session, _stop)) = browser::fetching(|_progress| {}) else { return };
        spawn_local(async move {
            let base = browser::base().unwrap_or_default();
            match session.gallery().await {
                Ok(Some((gallery, at))) => {
                    self.host_says(HostSaid::gallery(&gallery, &at, &base, &browser::resolve));
                }
                Ok(None) => {}
                Err(refused) => {
                    self.host_says(HostSaid::refused(&refused, &base, &base, &browser::resolve));
                }
            }
            self.keep_offline();
        });
    }

    fn keep_offline(self) {
        let offer = move || {
            let sentence = words::NEW_VERSION.to_owned();
            self.hosted.notice.set(Some(Notice { sentence, is_update: true }));
        };
        spawn_local(browser::keep_offline(offer));
    }

    fn host_says(self, said: HostSaid) {
        if let Ok(text) = serde_json::to_string(&said) {
            browser::leave_text(SAID, &text);
        }
        self.hosted.said.set(Some(said));
    }

    /// Opens the sample results.
    pub fn open_samples(self) {
        self.n_opening.update(|n| *n += 1);
        spawn_local(async move {
            let samples: Result<Picked, _> = browser::samples().await;
            self.n_opening.update(|n| *n -= 1);
            match samples {
                Ok(picked) => self.open(picked),
                Err(err) => self.say(format!("{err}.")),
            }
        });
    }

    /// Stops what is being fetched.
    pub(super) fn stop_fetching(self) {
        let stop = self.hosted.stop.try_update_value(Option::take).flatten();
        if let Some(stop) = stop {
            stop.stop();
        }
    }
}

fn notice(sentence: impl Into<String>) -> Notice {
    Notice { sentence: sentence.into(), is_update: false }
}
