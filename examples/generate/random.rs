//! Numbers and text from a seed: the same on every machine.

/// Words of several scripts, with characters of one to four bytes and some that JSON escapes.
const WORDS: [&str; 40] = [
    "ledger",
    "invoice",
    "because",
    "compared",
    "totals",
    "rounding",
    "Prüfung",
    "gefunden",
    "wurde",
    "während",
    "агент",
    "сумму",
    "проверил",
    "затем",
    "結果",
    "検索",
    "三件",
    "です",
    "は",
    "🧾",
    "🙂",
    "memory",
    "agent",
    "carefully",
    "answering",
    "entries",
    "before",
    "matters",
    "order",
    "and",
    "the",
    "for",
    "\\\"quoted\\\"",
    "C:\\\\data\\\\q4",
    "a\\tb",
    "1,204.50",
    "page",
    "found",
    "searched",
    "return",
];

/// `SplitMix64`: small, seedable, the same everywhere.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for every list of `parts`.
    pub fn new(parts: &[u64]) -> Self {
        let mut random = Self(0x9e37_79b9_7f4a_7c15);
        for part in parts {
            random.0 = random.next() ^ *part;
        }
        random
    }

    /// 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    /// A number in 0..1 with four decimals, so that it is written and read back alike.
    pub fn unit(&mut self) -> f64 {
        f64::from(u32::try_from(self.below(10_000)).unwrap_or(0)) / 10_000.0
    }
}

/// Text cut from a few hundred sentences made once.
pub struct Prose(Vec<String>);

impl Prose {
    /// Text that is already escaped for JSON.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(&[seed, 77]);
        let sentence = |_| {
            let words = 8 + random.below(40);
            let mut text = String::new();
            for _ in 0..words {
                text.push_str(
                    WORDS[usize::try_from(random.below(WORDS.len() as u64)).unwrap_or(0)],
                );
                text.push(' ');
            }
            text.push_str(if random.below(4) == 0 { "done.\\n" } else { "done. " });
            text
        };
        Self((0..512).map(sentence).collect())
    }

    /// The same text as it is.
    pub fn plain(seed: u64) -> Self {
        let Self(escaped) = Self::new(seed);
        let plain = |text: String| serde_json::from_str(&format!("\"{text}\"")).unwrap_or(text);
        Self(escaped.into_iter().map(plain).collect())
    }

    /// Adds whole sentences, at least `bytes`.
    pub fn append(&self, random: &mut Random, bytes: usize, to: &mut String) {
        let end = to.len() + bytes;
        while to.len() < end {
            to.push_str(&self.0[usize::try_from(random.below(512)).unwrap_or(0)]);
        }
    }

    /// Words and numbers that hardly come twice, at least `bytes`: what programs print.
    pub fn output(random: &mut Random, bytes: usize) -> String {
        let mut text = String::new();
        while text.len() < bytes {
            let word = WORDS[size(random.below(20))];
            text.push_str(&format!("{word} {}.{:02}\n", random.below(90_000), random.below(100)));
        }
        text
    }

    /// Whole sentences, at least `bytes`.
    pub fn text(&self, random: &mut Random, bytes: usize) -> String {
        let mut text = String::new();
        self.append(random, bytes, &mut text);
        text
    }
}

/// `n` as a size in memory.
pub fn size(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// `n` as a float; exact, for no count here comes near 2⁵³.
#[allow(clippy::cast_precision_loss, reason = "small counts")]
pub fn float(n: u64) -> f64 {
    n as f64
}
