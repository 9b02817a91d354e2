//! Laws of every kind of drawing: nothing leaves it, no words lie on others, every place is a number.

use super::canvas::Area;
use super::*;
use proptest::prelude::*;

/// A text of a drawing: its words, and the box that they take up.
#[derive(Debug)]
struct Words {
    words: String,
    area: Area,
}

/// The value of an attribute of the tag that `tag` begins with.
fn attr<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let head = tag.split('>').next().unwrap();
    head.split(&format!(" {name}=\"")).nth(1)?.split('"').next()
}

fn number(tag: &str, name: &str) -> f64 {
    attr(tag, name).unwrap().parse().unwrap()
}

fn unescaped(text: &str) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

fn texts(markup: &str) -> Vec<Words> {
    let found = markup.split("<text").skip(1).map(|tag| {
        let words = unescaped(tag.split('>').nth(1).unwrap().split('<').next().unwrap());
        let (x, y, width) = (number(tag, "x"), number(tag, "y"), text::width(&words));
        let x = match attr(tag, "text-anchor") {
            Some("middle") => x - width / 2.0,
            Some("end") => x - width,
            _ => x,
        };
        // Letters reach from about 9 above the line they stand on to 3 below it.
        Words { words, area: Area { x, y: y - 9.0, width, height: 12.0 } }
    });
    found.filter(|text| !text.words.is_empty()).collect()
}

fn boxes(markup: &str, class: &str) -> Vec<Area> {
    let rects = markup.split("<rect").skip(1);
    let own = rects.filter(|tag| attr(tag, "class") == Some(class));
    own.map(|tag| Area {
        x: number(tag, "x"),
        y: number(tag, "y"),
        width: number(tag, "width"),
        height: number(tag, "height"),
    })
    .collect()
}

/// What must hold of every drawing.
#[track_caller]
fn check(chart: &Chart, is_narrow: bool) {
    let frame = ChartFrame { id: "x", is_narrow, ..ChartFrame::default() };
    let Drawing { width, height, ink, marks } = chart.draw(&frame);
    // Places are written with two decimals.
    let slack = 0.02;
    let whole =
        Area { x: -slack, y: -slack, width: width + 2.0 * slack, height: height + 2.0 * slack };
    let (ink, marks) = (ink.as_str(), marks.as_str());
    for piece in [ink, marks] {
        for bad in ["NaN\"", "inf\"", "NaN ", "inf "] {
            let attributes = piece.split('>').filter_map(|part| part.split_once('<'));
            let is_bad = attributes.map(|(_, tag)| tag).any(|tag| {
                !tag.starts_with("text") && tag.split("aria-label").next().unwrap().contains(bad)
            });
            assert!(!is_bad, "a place is not a number: {piece}");
        }
        for name in ["g", "a", "defs", "pattern"] {
            let opened = piece.matches(&format!("<{name} ")).count()
                + piece.matches(&format!("<{name}>")).count();
            assert_eq!(opened, piece.matches(&format!("</{name}>")).count(), "<{name}>");
        }
        for text in texts(piece) {
            assert!(whole.holds(&text.area), "{text:?} leaves {width} × {height}");
        }
    }
    let tips = boxes(marks, "mark__box");
    assert_eq!(tips.len(), boxes(marks, "mark__area").len(), "each mark has its tooltip");
    for tip in tips {
        assert!(whole.holds(&tip), "{tip:?} leaves {width} × {height}");
    }
    let drawn = texts(ink);
    for (at, text) in drawn.iter().enumerate() {
        for other in drawn.iter().skip(at + 1) {
            // Places are rounded, so that words may touch.
            let inner =
                Area { x: text.area.x + slack, width: text.area.width - 2.0 * slack, ..text.area };
            assert!(!inner.meets(&other.area), "{text:?} lies on {other:?}");
        }
    }
}

/// Axes of every kind.
fn axes() -> Vec<Axis> {
    let units =
        [Unit::Count, Unit::Number, Unit::Score, Unit::Rate, Unit::Percent, Unit::Secs, Unit::Usd];
    let ranges = [
        Range::Whole,
        Range::Zero,
        Range::Free,
        Range::Log,
        Range::Within { low: -1.0, high: 4.0 },
    ];
    let pairs = units.into_iter().flat_map(|unit| ranges.map(|range| (unit, range)));
    pairs.map(|(unit, range)| Axis::new("What it is", unit, range)).collect()
}

fn name_at(names: &[String], at: usize) -> String {
    names.get(at % names.len().max(1)).cloned().unwrap_or_default()
}

/// `n` things in two parts.
fn split(n: u64) -> Vec<StackPart> {
    let part = |(name, tone, n): (&str, Tone, u64)| StackPart {
        name: name.to_owned(),
        tone,
        n,
        link: None,
    };
    [("passed", Tone::Passed, n / 3), ("failed", Tone::Failed, n - n / 3)].map(part).to_vec()
}

/// One chart of each kind from the same numbers.
fn charts(axis: &Axis, values: &[f64], names: &[String]) -> Vec<Chart> {
    let things = ["case", "cases"].map(str::to_owned);
    let finite: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    let low = finite.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0);
    let high = finite.iter().copied().max_by(f64::total_cmp).unwrap_or(0.0);
    let edges = edges(axis, low, high, 10);
    let bins: Vec<Bin> = edges
        .windows(2)
        .zip(0_u64..)
        .map(|(pair, n)| Bin {
            low: pair[0],
            high: pair[1],
            n: n * n % 7,
            parts: split(n * n % 7),
            link: None,
        })
        .collect();
    let named = || values.iter().enumerate().map(|(at, value)| (name_at(names, at), *value));
    let around = |value: f64| Some([value - value.abs() / 3.0, value + value.abs() / 2.0]);
    let rules = vec![
        HistogramLine { at: low, label: "mean".to_owned() },
        HistogramLine { at: high, label: "median".to_owned() },
    ];
    let histogram =
        Histogram { axis: axis.clone(), things: things.clone(), bins: bins.clone(), rules };
    let ridges = named().map(|(name, mean)| Ridge { name, bins: bins.clone(), mean: Some(mean) });
    let ridges =
        Ridges { axis: axis.clone(), things: things.clone(), ridges: ridges.take(12).collect() };
    let tones = [Tone::Passed, Tone::Failed, Tone::Error, Tone::Skipped, Tone::Unscored];
    let stack = |(at, (name, _)): (usize, (String, f64))| Stack {
        name,
        parts: tones
            .into_iter()
            .zip(0_usize..)
            .map(|(tone, n)| StackPart {
                name: format!("{tone:?}"),
                tone,
                n: ((at * 7919 + n * 104_729) % 1000) as u64,
                link: None,
            })
            .collect(),
    };
    let stacks = Stacks { things, stacks: named().enumerate().map(stack).collect() };
    let dots = named().zip(0_u8..).map(|((name, value), number)| Dot {
        name,
        value: Some(value),
        interval: around(value),
        note: "12 cases".to_owned(),
        tone: Tone::Series(number),
        link: None,
    });
    let dots = Dots { axis: axis.clone(), dots: dots.collect() };
    let points = |name: &str| {
        named()
            .map(|(own, value)| StripPoint { name: format!("{name} {own}"), value, link: None })
            .collect()
    };
    let strip = |name: &String| StripValues {
        name: name.clone(),
        points: points(name),
        middle: Some(low),
        interval: Some([low, high]),
        tone: Tone::Series(0),
    };
    let strips = Strips { axis: axis.clone(), strips: names.iter().take(6).map(strip).collect() };
    let spans = named().map(|(name, value)| ChartSpan {
        name,
        from: 1.7e9 + value.clamp(-1e9, 1e9),
        secs: Some(value),
        tone: Tone::Failed,
        link: None,
    });
    let spans = Spans { label: "Time, UTC".to_owned(), spans: spans.collect() };
    let series = |number: u8, is_time: bool| Series {
        name: name_at(names, usize::from(number)),
        tone: if number < Tone::N_SERIES { Tone::Series(number) } else { Tone::Faint },
        points: named()
            .zip(0_u32..)
            .map(|((name, value), at)| LinePoint {
                name,
                x: if is_time { 1.7e9 + f64::from(at) * 86_400.0 } else { f64::from(at) },
                y: value,
                interval: around(value),
                note: String::new(),
                link: None,
            })
            .collect(),
        is_joined: true,
    };
    let n_series = u8::try_from(names.len()).unwrap().min(10);
    let lines = |is_time: bool| LineChart {
        across: if is_time {
            LineAxis::Time { label: "Began, UTC".to_owned() }
        } else {
            let names = named().map(|(name, _)| name).collect();
            LineAxis::Names { label: "Checkpoint".to_owned(), names }
        },
        axis: axis.clone(),
        series: (0..n_series).map(|number| series(number, is_time)).collect(),
    };
    let point = |(at, (name, x)): (usize, (String, f64))| ScatterPoint {
        name,
        x,
        y: values.get(values.len() - 1 - at).copied().unwrap_or(0.0),
        tone: Tone::Plain,
        link: None,
    };
    let scatter = Scatter {
        x: axis.clone(),
        y: axis.clone(),
        points: named().enumerate().map(point).collect(),
        frontier: (0..values.len()).step_by(3).collect(),
    };
    let cell = |(at, value): (usize, &f64)| {
        (at % 5 != 4).then(|| HeatMapCell {
            value: (at % 7 != 6).then_some(*value),
            note: "3 of 4 cases".to_owned(),
            is_ticked: at % 2 == 0,
            link: None,
        })
    };
    let row = |name: &String| HeatMapRow {
        name: name.clone(),
        cells: values.iter().enumerate().map(cell).collect(),
    };
    let heat_map = HeatMap {
        label: "Checkpoint".to_owned(),
        columns: named().map(|(name, _)| name).collect(),
        rows: names.iter().map(row).collect(),
        axis: axis.clone(),
        tick: Some("passes by core-cases".to_owned()),
    };
    vec![
        Chart::Histogram(histogram),
        Chart::Ridges(ridges),
        Chart::Stacks(stacks),
        Chart::Dots(dots),
        Chart::Strips(strips),
        Chart::Spans(spans),
        Chart::Lines(lines(false)),
        Chart::Lines(lines(true)),
        Chart::Scatter(scatter),
        Chart::HeatMap(heat_map),
    ]
}

fn check_all(axis: &Axis, values: &[f64], names: &[String]) {
    for chart in charts(axis, values, names) {
        for is_narrow in [false, true] {
            check(&chart, is_narrow);
        }
    }
}

fn words(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn the_laws_hold_on_every_axis() {
    let names = words(&["core", "a name that is much too long for its place, and longer", "x"]);
    for axis in axes() {
        for values in [
            &[0.2, 0.9, 0.5, 0.5, 0.51, 0.0, 1.0][..],
            &[3.0],
            &[0.0, 0.0],
            &[7.0; 5],
            &[],
            &[f64::NAN, f64::INFINITY, f64::NEG_INFINITY],
            &[f64::NAN, 4.0, -1e300, 1e300],
            &[1e-12, 1e12],
            &[-5.0, -0.01],
        ] {
            check_all(&axis, values, &names);
        }
    }
}

#[test]
fn hundreds_of_names_and_none_keep_the_laws() {
    let axis = Axis::new("Score", Unit::Score, Range::Whole);
    let names: Vec<String> = (0..200).map(|at| format!("group number {at} of many")).collect();
    let values: Vec<f64> = (0..200).map(|at| f64::from(at % 17) / 16.0).collect();
    check_all(&axis, &values[..40], &names);
    check_all(&axis, &values, &[]);
}

#[test]
fn names_of_a_file_add_nothing() {
    let names = words(&[
        "<script>alert(1)</script>",
        "\"onload=\"x",
        "a\u{202e}b\nc\0d",
        "<!--",
        "]]>",
        "日本語の名前がここにある",
        "&amp;lt;",
    ]);
    let axis = Axis::new("Score", Unit::Score, Range::Whole);
    check_all(&axis, &[0.1, 0.5, 0.9, 0.3, 0.7, 0.2, 0.8], &names);
    for chart in charts(&axis, &[0.1, 0.5, 0.9], &names) {
        let drawing = chart.draw(&ChartFrame { id: "x", ..ChartFrame::default() });
        for piece in [drawing.ink.as_str(), drawing.marks.as_str()] {
            for element in piece.split('<').skip(1) {
                let name = element.trim_start_matches('/').split([' ', '>']).next().unwrap();
                let known = ["line", "rect", "path", "text", "g", "a", "defs", "pattern"];
                assert!(known.contains(&name), "<{element}");
            }
            assert!(!piece.contains('\u{202e}') && !piece.contains('\0'));
        }
    }
}

#[test]
fn a_mark_opens_the_address_of_its_number() {
    let hrefs = ["#/1/cases?find=a".to_owned(), "javascript:alert(1)".to_owned()];
    let frame = ChartFrame { id: "x", hrefs: &hrefs, ..ChartFrame::default() };
    let part = |link| StackPart { name: "failed".to_owned(), tone: Tone::Failed, n: 3, link };
    let stack = |link| Stack { name: "core".to_owned(), parts: vec![part(link)] };
    let draw = |link| {
        let things = ["case", "cases"].map(str::to_owned);
        let chart = Chart::Stacks(Stacks { things, stacks: vec![stack(link)] });
        chart.draw(&frame).marks.as_str().to_owned()
    };
    let first = draw(Some(0));
    assert!(first.starts_with("<a class=\"mark\" href=\"#/1/cases?find=a\" aria-label=\"core: failed; 3 cases, 100.0 % of 3\">"), "{first}");
    assert!(!draw(Some(1)).contains("href"), "no other address is written");
    for link in [None, Some(9)] {
        let plain = draw(link);
        assert!(
            plain.starts_with("<g class=\"mark\" tabindex=\"0\" role=\"img\" aria-label="),
            "{plain}"
        );
    }
}

#[test]
fn hatches_are_named_after_their_drawing() {
    let things = ["case", "cases"].map(str::to_owned);
    let part = StackPart { name: "failed".to_owned(), tone: Tone::Failed, n: 3, link: None };
    let stacks = vec![Stack { name: "core".to_owned(), parts: vec![part] }];
    let chart = Chart::Stacks(Stacks { things, stacks });
    let drawing = chart.draw(&ChartFrame { id: "chart-1", ..ChartFrame::default() });
    assert!(drawing.ink.as_str().contains("<pattern id=\"chart-1-failed\""));
    assert!(drawing.ink.as_str().contains("fill=\"url(#chart-1-failed)\""));
}

#[test]
fn bins_show_their_parts_one_on_the_other() {
    let bin = Bin { low: 0.0, high: 1.0, n: 6, parts: split(6), link: None };
    let things = ["case", "cases"].map(str::to_owned);
    let axis = Axis::new("Score", Unit::Score, Range::Whole);
    let chart = Chart::Histogram(Histogram { axis, things, bins: vec![bin], rules: Vec::new() });
    let drawing = chart.draw(&ChartFrame::default());
    // The second of each is in the key.
    let [passed, failed] = ["passed", "failed"]
        .map(|tone| boxes(drawing.ink.as_str(), &format!("chart__bar tone-{tone}")));
    assert_eq!((passed.len(), failed.len()), (2, 2));
    assert!((failed[0].y + failed[0].height - passed[0].y).abs() < 0.1, "{passed:?} {failed:?}");
    assert!((failed[0].height - 2.0 * passed[0].height).abs() < 0.1, "{passed:?} {failed:?}");
    assert!(drawing.marks.as_str().contains("0 – 1; 6 cases; 2 passed; 4 failed"));
}

#[test]
fn one_of_very_many_is_still_seen() {
    let bins = [(0.0, 0.5, 100_000), (0.5, 1.0, 1)]
        .map(|(low, high, n)| Bin { low, high, n, parts: Vec::new(), link: None })
        .to_vec();
    let things = ["case", "cases"].map(str::to_owned);
    let axis = Axis::new("Score", Unit::Score, Range::Whole);
    let chart = Chart::Histogram(Histogram { axis, things, bins, rules: Vec::new() });
    let ink = chart.draw(&ChartFrame::default()).ink;
    let bars = boxes(ink.as_str(), "chart__bar tone-plain");
    assert_eq!(bars.len(), 2);
    assert!(bars[1].height >= 1.0, "{bars:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn no_numbers_break_the_laws(
        values in prop::collection::vec(prop_oneof![any::<f64>(), -2.0..2.0_f64, 0.0..1e6_f64], 0..14),
        names in prop::collection::vec(".{0,40}", 0..10),
        at in 0..35_usize,
    ) {
        check_all(&axes()[at], &values, &names);
    }
}
