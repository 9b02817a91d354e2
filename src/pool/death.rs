//! How a reader ends that is not asked to: what is said of it, and how tests bring it about.

/// What is known of a reader that has stopped.
#[derive(Debug, Clone, Copy, Default)]
pub struct Death<'a> {
    /// What it said of a panic, just before.
    pub panic: Option<&'a str>,
    /// What the browser says.
    pub thrown: &'a str,
}

impl Death<'_> {
    /// Why it stopped, in words.
    pub fn reason(self) -> String {
        if let Some(panic) = self.panic {
            // "panicked at src/x.rs:1:2:\nmessage"
            let (place, message) = panic.split_once('\n').unwrap_or(("", panic));
            let place = place.trim_start_matches("panicked at ").trim_end_matches(':');
            return match place {
                "" => format!("a fault in the program: {message}"),
                place => format!("a fault in the program: {message} ({place})"),
            };
        }
        let thrown = self.thrown.trim_start_matches("Uncaught ");
        // The stack lies at the start of the heap: below it there is nothing.
        let is_deep = ["call stack", "too much recursion", "memory access out of bounds"];
        if is_deep.iter().any(|words| thrown.contains(words)) {
            return "its values lie too deep in one another".to_owned();
        }
        // An allocation that fails ends the program at once, without words of its own.
        if ["unreachable", "out of memory", "allocation"]
            .iter()
            .any(|words| thrown.to_lowercase().contains(words))
        {
            return format!("it needs more memory than there is ({thrown})");
        }
        match thrown {
            "" => "the browser does not say why".to_owned(),
            thrown => thrown.to_owned(),
        }
    }
}

/// Brings a reader down at a file: what tests ask for in the page's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrashTest {
    end: CrashKind,
    at: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CrashKind {
    Panic,
    Recurse,
    Allocate,
}

impl CrashTest {
    /// The trial that `panic:reports.parquet` asks for: how, and at files whose path ends how. Also
    /// `recurse:…` and `allocate:…`.
    pub fn parse(text: &str) -> Option<Self> {
        let (end, at) = text.split_once(':')?;
        let end = match end {
            "panic" => CrashKind::Panic,
            "recurse" => CrashKind::Recurse,
            "allocate" => CrashKind::Allocate,
            _ => return None,
        };
        Some(Self { end, at: at.to_owned() })
    }

    /// Ends this program when `path` is the one.
    #[expect(clippy::panic, reason = "this is what it is for")]
    pub fn meet(&self, path: &str) {
        if self.at.is_empty() || !path.ends_with(&self.at) {
            return;
        }
        match self.end {
            CrashKind::Panic => panic!("a test asked for it"),
            CrashKind::Recurse => {
                std::hint::black_box(deep(0));
            }
            CrashKind::Allocate => {
                let mut held: Vec<Vec<u8>> = Vec::new();
                loop {
                    held.push(Vec::with_capacity(64 << 20));
                    std::hint::black_box(&held);
                }
            }
        }
    }
}

#[expect(unconditional_recursion, reason = "this is what it is for")]
fn deep(depth: u64) -> u64 {
    let frame = [depth; 64];
    let below = deep(std::hint::black_box(depth + 1));
    below + std::hint::black_box(frame).iter().sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::{CrashTest, Death};

    #[test]
    fn a_death_is_told_by_what_is_known_of_it() {
        let reason = |panic, thrown| Death { panic, thrown }.reason();
        let panic = "panicked at src/a.rs:1:2:\nindex out of bounds";
        for (panic, thrown, words) in [
            (
                Some(panic),
                "Uncaught RuntimeError: unreachable",
                "a fault in the program: index out of bounds (src/a.rs:1:2)",
            ),
            (Some("odd"), "", "a fault in the program: odd"),
            (
                None,
                "Uncaught RangeError: Maximum call stack size exceeded",
                "its values lie too deep in one another",
            ),
            (
                None,
                "Uncaught RuntimeError: memory access out of bounds",
                "its values lie too deep in one another",
            ),
            (
                None,
                "Uncaught RuntimeError: unreachable",
                "it needs more memory than there is (RuntimeError: unreachable)",
            ),
            (None, "SyntaxError: x", "SyntaxError: x"),
            (None, "", "the browser does not say why"),
        ] {
            assert_eq!(reason(panic, thrown), words);
        }
    }

    #[test]
    fn a_trial_is_parsed() {
        assert!(CrashTest::parse("panic:a.json").is_some());
        for odd in ["panic", "explode:a", ""] {
            assert_eq!(CrashTest::parse(odd), None, "{odd}");
        }
        // Another file, and none: nothing happens.
        for text in ["panic:a.json", "allocate:"] {
            CrashTest::parse(text).unwrap().meet("b/other.json");
        }
    }
}
