//! Fetching over a host made up of files, and what is said of it.

use super::*;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

type Words = Rc<str>;

/// A host of files by path; `down…` does not answer, `endless` never ends.
#[derive(Default)]
struct Files {
    files: BTreeMap<&'static str, Words>,
    headers: Headers,
    has_copies: bool,
    stops_after: Option<usize>,
    asked: RefCell<Vec<String>>,
    n_open: Cell<usize>,
    most_open: Cell<usize>,
    told: RefCell<Vec<(u64, u64)>>,
}

impl Host for &Files {
    type Body = (Words, bool);
    type File = Words;

    fn resolve(&self, text: &str, from: &str) -> Option<WebAddress> {
        resolve(text, from)
    }

    async fn ask(&self, address: &str) -> Option<HostAnswer<Self::Body>> {
        let path = address.rsplit("lab.example/").next().unwrap().to_owned();
        self.asked.borrow_mut().push(path.clone());
        self.n_open.set(self.n_open.get() + 1);
        self.most_open.set(self.most_open.get().max(self.n_open.get()));
        let mut is_first = true;
        futures_util::future::poll_fn(|context| {
            context.waker().wake_by_ref();
            match std::mem::take(&mut is_first) {
                true => std::task::Poll::Pending,
                false => std::task::Poll::Ready(()),
            }
        })
        .await;
        self.n_open.set(self.n_open.get() - 1);
        if path.starts_with("down") {
            return None;
        }
        let content = match path.starts_with("many") || path == "endless" {
            true => Some(Words::from(path.as_str())),
            false => self.files.get(path.as_str()).cloned(),
        };
        let (status, words) = if content.is_some() { (200, "") } else { (404, "Not Found") };
        Some(HostAnswer {
            status,
            status_text: words.to_owned(),
            headers: self.headers.clone(),
            body: (content.unwrap_or_default(), false),
        })
    }

    async fn take(&self, body: &mut Self::Body) -> Option<u64> {
        if &*body.0 == "endless" {
            return Some(2);
        }
        let n_bytes = if body.1 { 0 } else { body.0.len() as u64 };
        body.1 = true;
        Some(n_bytes)
    }

    async fn cancel(&self, _body: Self::Body) {}

    fn file(&self, body: Self::Body, _name: &str, _last_modified: Option<&str>) -> Option<Words> {
        Some(body.0)
    }

    fn remote(&self, place: &RemoteFile, _name: &str) -> Option<Words> {
        Some(format!("remote {}", serde_json::to_string(place).unwrap()).into())
    }

    fn is_remote(&self, file: &Words) -> bool {
        file.starts_with("remote ")
    }

    fn size(&self, file: &Words) -> u64 {
        file.len() as u64
    }

    async fn text(&self, file: &Words) -> String {
        file.to_string()
    }

    async fn copy(&self, _address: &str, _name: &str) -> Option<(Words, String)> {
        self.has_copies.then(|| ("old".into(), "2026-01-02T03:04:05.000Z".to_owned()))
    }

    fn keep(&self, _address: &str, _file: &Words) {}

    fn is_stopped(&self) -> bool {
        self.stops_after.is_some_and(|n_asked| self.asked.borrow().len() > n_asked)
    }

    fn tell(&self, n_done: u64, n_total: u64, _name: &str) {
        self.told.borrow_mut().push((n_done, n_total));
    }
}

fn host() -> Files {
    let files = [
        ("list.json", r#"["r/a", "r/b", "r/a"]"#),
        ("away.json", r#"["https://other.example/x"]"#),
        ("deep.json", r#"["list.json"]"#),
        ("gallery.json", r#"{"groups": [{"items": [{"src": "r/a"}]}]}"#),
        ("broken.json", r#"{"groups": [{}]}"#),
        ("r/a", "A"),
        ("r/b", "B"),
    ];
    let files = files.into_iter().map(|(path, text)| (path, text.into())).collect();
    Files { files, ..Files::default() }
}

fn open(host: &Files, limits: FetchLimits, texts: &[&str]) -> Result<FoundResults<Words>, Refused> {
    let base = resolve("", "https://lab.example/").unwrap();
    let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
    pollster::block_on(Session::new(host, base, false, limits).sources(&texts))
}

fn opened(host: &Files, texts: &[&str]) -> Vec<(String, String)> {
    match open(host, FetchLimits::default(), texts) {
        Ok(FoundResults::Files { files, .. }) => {
            files.into_iter().map(|(path, file)| (path, file.to_string())).collect()
        }
        Ok(FoundResults::Gallery(..)) => panic!("a gallery"),
        Err(refused) => panic!("{refused}"),
    }
}

fn refused(host: &Files, limits: FetchLimits, texts: &[&str]) -> Refused {
    match open(host, limits, texts) {
        Ok(_) => panic!("{texts:?} was opened"),
        Err(refused) => refused,
    }
}

fn pair(path: &str, text: &str) -> (String, String) {
    (path.to_owned(), text.to_owned())
}

#[test]
fn a_list_stands_for_the_files_that_it_names() {
    let all = host();
    assert_eq!(opened(&all, &["list.json"]), [pair("r/a", "A"), pair("r/b", "B")]);
    assert_eq!(*all.asked.borrow(), ["list.json", "r/a", "r/b"], "each once");
    let deep = opened(&host(), &["deep.json"]);
    assert_eq!(deep, [pair("list.json", &host().files["list.json"])], "a list in a list is a file");
    let away = refused(&host(), FetchLimits::default(), &["away.json"]);
    assert_eq!(away.refusals[0].kind, RefusalKind::Elsewhere, "a list leads to no other host");
    let found = open(&host(), FetchLimits::default(), &["gallery.json"]);
    assert!(matches!(found, Ok(FoundResults::Gallery(..))));
    let broken = refused(&host(), FetchLimits::default(), &["broken.json"]);
    assert_eq!(broken.refusals[0].kind, RefusalKind::NotResults);
}

#[test]
fn few_are_asked_for_at_once_and_all_or_none_are_opened() {
    let all = host();
    let many: Vec<String> = (0..50).map(|nth| format!("many/{nth}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(opened(&all, &many).len(), 50);
    assert!((2..=6).contains(&all.most_open.get()), "{} at once", all.most_open.get());
    let wrong = refused(&host(), FetchLimits::default(), &["gone", "r/a", "down"]);
    let mut kinds: Vec<RefusalKind> = wrong.refusals.iter().map(|one| one.kind).collect();
    kinds.sort();
    assert_eq!(kinds, [RefusalKind::Missing, RefusalKind::Unreachable]);
    assert_eq!(wrong.others, ["https://lab.example/r/a"]);
    assert!(wrong.to_string().contains("The server answers 404 (Not Found)."));
    let stopped = Files { stops_after: Some(2), ..host() };
    let said = refused(&stopped, FetchLimits { at_once: 1, ..FetchLimits::default() }, &many);
    assert_eq!((said.refusals[0].kind, stopped.asked.borrow().len()), (RefusalKind::Stopped, 3));
}

#[test]
fn large_files_stay_on_their_server_or_are_refused() {
    let small = FetchLimits { ranged: 100, whole: 3, n_files: 2, ..FetchLimits::default() };
    let endless = refused(&host(), small, &["endless"]);
    assert_eq!(endless.refusals[0].kind, RefusalKind::TooLarge, "counted where no length is given");
    assert_eq!(refused(&host(), small, &["x", "y", "z"]).refusals[0].kind, RefusalKind::TooLarge);
    let headers = Headers {
        content_length: Some("1000000000000".to_owned()),
        last_modified: Some("Monday".to_owned()),
        ..Headers::default()
    };
    let huge = Files { headers: headers.clone(), ..host() };
    let said = refused(&huge, FetchLimits::default(), &["r/a"]);
    assert!(said.refusals[0].message.contains("512 MB (1000.0 GB)"), "{said}");
    let ranged = Headers { accept_ranges: Some("bytes".to_owned()), ..headers };
    let parts = opened(&Files { headers: ranged, ..host() }, &["r/a"]);
    let stands_for: RemoteFile =
        serde_json::from_str(parts[0].1.strip_prefix("remote ").unwrap()).unwrap();
    let validator = Some(("Last-Modified".to_owned(), "Monday".to_owned()));
    let url = "https://lab.example/r/a".to_owned();
    let wanted = RemoteFile { url, size: 1_000_000_000_000, is_here: true, validator, text: None };
    assert_eq!(stands_for, wanted);
}

#[test]
fn a_dataset_is_its_manifest_and_small_tables_where_its_server_gives_out_parts() {
    let manifest = r#"{"schema": "evalglass-dataset/1", "tables": [{"file": "runs.parquet"}, {"file": "lost.parquet"}, {"file": "../x"}]}"#;
    let files = [("evals/manifest.json", manifest), ("evals/runs.parquet", "R")];
    let files: BTreeMap<&str, Words> =
        files.into_iter().map(|(path, text)| (path, text.into())).collect();
    let plain = Files { files: files.clone(), ..Files::default() };
    let message = refused(&plain, FetchLimits::default(), &["evals/manifest.json"]).to_string();
    assert!(message.contains("the server does not support range requests"), "{message}");
    assert_eq!(*plain.asked.borrow(), ["evals/manifest.json"], "nothing else was fetched");
    let headers = Headers { accept_ranges: Some("bytes".to_owned()), ..Headers::default() };
    let host = Files { files, headers, ..Files::default() };
    let found = opened(&host, &["evals/manifest.json"]);
    let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["evals/manifest.json", "evals/runs.parquet"], "a lost table is named later");
    let (_, stays) = &found[0];
    let stays: RemoteFile = serde_json::from_str(stays.strip_prefix("remote ").unwrap()).unwrap();
    assert_eq!(stays.size, manifest.len() as u64);
    assert_eq!(stays.text.as_deref(), Some(manifest), "it is not fetched again");
    assert_eq!(found[1].1, "R");
}

#[test]
fn a_copy_stands_in_for_no_answer_and_not_for_a_refusal() {
    let copies = Files { has_copies: true, ..host() };
    let Ok(FoundResults::Files { files, copy_of }) =
        open(&copies, FetchLimits::default(), &["down/x", "r/a"])
    else {
        panic!("nothing was opened");
    };
    assert_eq!(copy_of.as_deref(), Some("2026-01-02T03:04:05.000Z"));
    assert_eq!(files.len(), 2);
    assert_eq!(
        refused(&copies, FetchLimits::default(), &["gone"]).refusals[0].kind,
        RefusalKind::Missing
    );
}

#[test]
fn progress_has_a_total_while_every_length_is_known() {
    let told = host();
    opened(&told, &["r/a", "r/b"]);
    assert_eq!(*told.told.borrow(), [(1, 0), (2, 0)]);
    let headers = Headers { content_length: Some("1".to_owned()), ..Headers::default() };
    let told = Files { headers, ..host() };
    opened(&told, &["r/a"]);
    assert_eq!(*told.told.borrow(), [(1, 1)]);
}

#[test]
fn a_refusal_is_said_with_its_reason_and_with_what_can_be_done() {
    let base = place("");
    let here = place("index.html?src=x");
    let refusal = |kind, address: &str| Refusal::new(kind, address, "Why.");
    let say = |refusals: Vec<Refusal>, others: &[&str]| {
        let others = others.iter().map(|&text| text.to_owned()).collect();
        HostingPage::refused(&Refused { refusals, others }, &here, &base, &resolve)
    };
    let words = |said: &HostingPage| match said {
        HostingPage::Refused { actions, .. } => {
            actions.iter().map(|one| format!("{} → {}", one.words, one.href)).collect::<Vec<_>>()
        }
        _ => Vec::new(),
    };
    let other = "https://lab.example/a/b/y";
    assert_eq!(
        words(&say(vec![refusal(RefusalKind::Missing, "https://lab.example/a/b/x")], &[other])),
        ["Open the other file → index.html?src=y", "Go to the start page → /a/b/index.html"]
    );
    let away = say(vec![refusal(RefusalKind::Elsewhere, "https://other.example:81/x")], &[other]);
    assert!(matches!(away, HostingPage::Refused { is_elsewhere: true, is_stopped: false, .. }));
    assert_eq!(
        words(&away)[1],
        "Fetch from other.example:81 → remote.html?src=https://other.example:81/x&src=y"
    );
    let stopped = say(vec![refusal(RefusalKind::Stopped, BASE)], &[]);
    assert!(matches!(stopped, HostingPage::Refused { is_stopped: true, .. }));
    assert_eq!(words(&stopped)[0], format!("Try again → {}", here.href));
    let many = say(vec![refusal(RefusalKind::Missing, other); 25], &[]);
    assert!(
        matches!(&many, HostingPage::Refused { reasons, n_more: 5, .. } if reasons.len() == 20)
    );
    let again: HostingPage = serde_json::from_str(&serde_json::to_string(&many).unwrap()).unwrap();
    assert_eq!(again, many, "a program that is started anew says the same");
}
