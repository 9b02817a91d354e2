//! The language of filters: what is written reads back, and what is wrong is named with its place.

use evalglass::report::filter::{Expr, Field, Filter, NumberOperator, Term, words_text};
use proptest::prelude::*;

const COMPARISONS: [NumberOperator; 6] = [
    NumberOperator::Equal,
    NumberOperator::Unequal,
    NumberOperator::Less,
    NumberOperator::AtMost,
    NumberOperator::Greater,
    NumberOperator::AtLeast,
];

fn hostile_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{0,4}",
        "[-!:=<>~,()\"\\\\ a\u{e9}]{0,6}",
        Just("or".to_owned()),
        Just("AND".to_owned()),
        any::<String>(),
    ]
}

fn number() -> impl Strategy<Value = (Field, String)> {
    let plain = prop_oneof!["[0-9]{1,4}", "0\\.[0-9]{1,3}", "-[0-9]{1,2}", "[1-9]e-[1-9]"];
    let field = prop_oneof![
        (Just(Field::Score), prop_oneof![Just(""), Just("%")]),
        (Just(Field::Duration), prop_oneof![Just(""), Just("ms"), Just("s"), Just("m"), Just("h")]),
        (Just(Field::Tokens), prop_oneof![Just(""), Just("k"), Just("M")]),
        (Just(Field::Cost), Just("")),
        (Just(Field::Repeat), Just("")),
        (Just(Field::Attempts), Just("")),
        (Just(Field::Checks), Just("")),
        (hostile_text().prop_map(Field::MetricScore), Just("%")),
    ];
    (field, plain).prop_map(|((field, unit), number)| {
        let sign = if field == Field::Cost { "$" } else { "" };
        (field, format!("{sign}{number}{unit}"))
    })
}

fn words() -> impl Strategy<Value = Field> {
    prop_oneof![
        Just(Field::Group),
        Just(Field::Run),
        Just(Field::Suite),
        Just(Field::Model),
        Just(Field::Variant),
        Just(Field::Id),
        Just(Field::Metric),
        Just(Field::Tag),
        Just(Field::Error),
    ]
}

fn term() -> impl Strategy<Value = Term> {
    prop_oneof![
        hostile_text().prop_map(Term::Words),
        (words(), any::<bool>(), prop::collection::vec(hostile_text(), 1..4))
            .prop_map(|(field, is_exact, values)| Term::Is { field, is_exact, values }),
        prop::sample::subsequence(vec!["passed", "failed", "error", "skipped"], 1..4).prop_map(
            |values| Term::Is {
                field: Field::Outcome,
                is_exact: false,
                values: values.into_iter().map(str::to_owned).collect(),
            }
        ),
        number().prop_map(|(field, value)| Term::Is {
            field,
            is_exact: false,
            values: vec![value, String::new()],
        }),
        (number(), prop::sample::select(COMPARISONS.to_vec()))
            .prop_map(|((field, value), how)| Term::Compares { field, how, value }),
        (words(), hostile_text()).prop_map(|(field, text)| Term::Contains { field, text }),
        hostile_text().prop_map(|text| Term::Contains { field: Field::Text, text }),
    ]
}

fn expr() -> impl Strategy<Value = Expr> {
    term().prop_map(Expr::Term).prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::All),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::Any),
            inner.prop_map(|inner| Expr::Not(Box::new(inner))),
        ]
    })
}

proptest! {
    #[test]
    fn every_filter_reads_back_as_the_same(root in expr()) {
        let filter = Filter { root: Some(root) };
        let text = filter.to_string();
        let read: Filter = text.parse().map_err(|err| TestCaseError::fail(format!("{text}: {err}")))?;
        prop_assert_eq!(read, filter, "{}", text);
    }

    #[test]
    fn any_text_is_a_filter_or_an_error_within_it(text in prop_oneof![hostile_text(), "[a-z:<>=~!()\", -]{0,24}"]) {
        match text.parse::<Filter>() {
            Ok(filter) => {
                let again: Filter = filter.to_string().parse().unwrap();
                prop_assert_eq!(again, filter);
            }
            Err(err) => {
                prop_assert!(err.at + err.len <= text.len(), "{:?}", err);
                prop_assert!(text.is_char_boundary(err.at) && text.is_char_boundary(err.at + err.len));
                prop_assert!(err.message.ends_with('.'), "{}", err.message);
            }
        }
    }

    #[test]
    fn words_of_any_text_look_for_just_that(text in any::<String>()) {
        let filter: Filter = words_text(&text).parse().unwrap();
        let expected = (!text.trim().is_empty())
            .then(|| Expr::Term(Term::Words(text.trim().to_owned())));
        prop_assert_eq!(filter.root, expected);
    }
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    for (text, at, len, message) in [
        ("score<", 6, 0, "A number is missing here: 0.5 or 50%."),
        ("a score<x", 8, 1, "score is compared with a number: 0.5 or 50%."),
        ("(a", 0, 1, "This ( is not closed."),
        ("a )", 2, 1, "This ) has no matching (."),
        ("group:\"a", 6, 2, "The closing \" is missing."),
        ("a or", 4, 0, "A search term is missing here: a word, or field:value."),
        ("-", 1, 0, "A search term is missing here: a word, or field:value."),
        ("kind<3", 4, 1, "kind is not a number: instead of <, use kind:value."),
        ("duration~3", 0, 8, "duration is not a text field: ~ cannot be used with it."),
        ("metric.", 7, 0, "The name of a metric is missing here."),
        ("metric.\"a\" x", 10, 0, "A comparison is missing here, such as < 0.5."),
        ("<5", 0, 1, "The name of a field is missing before this."),
        ("text:a", 0, 5, "Use text~word to search the texts."),
    ] {
        let err = text.parse::<Filter>().unwrap_err();
        assert_eq!((err.at, err.len, err.message.as_str()), (at, len, message), "{text}");
    }
    let err = "outcome:fail".parse::<Filter>().unwrap_err();
    assert!(err.message.contains("use one of passed, failed, error"), "{}", err.message);
    let err = "colour:red".parse::<Filter>().unwrap_err();
    assert!(err.message.starts_with("There is no field \"colour\"."), "{}", err.message);
}

#[test]
fn hostile_lengths_are_refused() {
    let deep = "(".repeat(5_000);
    assert!(deep.parse::<Filter>().unwrap_err().message.contains("parentheses"));
    assert!("-".repeat(5_000).parse::<Filter>().is_err());
    assert!("a ".repeat(101).parse::<Filter>().unwrap_err().message.contains("100 terms"));
    assert!("a".repeat(10_001).parse::<Filter>().unwrap_err().message.contains("too long"));
}

#[test]
fn the_words_metric_dot_stay_words() {
    for text in ["\"metric.\"", "a \"Metric.\" b", "-\"metric.\"", "metric.\"metric.\">0.5"] {
        let filter: Filter = text.parse().unwrap();
        assert_eq!(filter.to_string(), text);
    }
}

#[test]
fn the_example_of_the_readme_means_what_it_says() {
    let filter: Filter = "outcome:failed Kind:core score<0.5 error~timeout !a -b".parse().unwrap();
    assert_eq!(filter.to_string(), "outcome:failed kind:Core score<0.5 error~timeout -a -b");
    assert_eq!(filter.terms().len(), 6);
    let either: Filter = "a b or (c or d) and e".parse().unwrap();
    assert_eq!(either.to_string(), "a b or (c or d) e");
}
