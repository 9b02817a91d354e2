//! The dialog "Save as HTML": its form, and what was prepared.
//!
//! The page sends the fields of `seal-form` by their names; `data-do` says what its buttons do.

use crate::format;
use crate::markup::Markup;

/// What can be sealed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SealForm {
    /// Everything, in words: `3 evaluations, 5 runs, 80 cases`.
    pub all: String,
    /// What is selected, in words; `None`: everything.
    pub selected: Option<String>,
    /// Cases that the filter keeps, when there is one.
    pub n_filtered: Option<u64>,
}

/// What was prepared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SealSummary {
    /// Name of the file.
    pub name: String,
    /// Bytes of the report.
    pub n_data: u64,
    /// The same, packed.
    pub n_packed: u64,
    /// Bytes of the file.
    pub n_file: u64,
    /// What was left out, in words.
    pub left_out: Vec<String>,
    /// What was replaced.
    pub rules: Vec<SealRule>,
    /// Whether anything was looked for.
    pub is_redacted: bool,
}

/// What one rule has replaced.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SealRule {
    /// The rule.
    pub words: String,
    /// How often.
    pub n: u64,
    /// Places, what was there (masked), what is there now.
    pub samples: Vec<[String; 3]>,
}

/// Files from this size on are not opened by every browser, in bytes.
const LARGE: u64 = 300_000_000;

/// The form.
pub fn seal_form(form: &SealForm) -> Markup {
    let mut out = Markup::new();
    out.open("h2").class("keys__title").attr("id", "seal-title").text("Save as HTML");
    out.open("p").class("seal__lead").text(
        "One file with this page and the results in it. It opens by double click, without a network and without a server.",
    );
    out.open("div").class("seal__form").attr("id", "seal-form").body(|out| {
        group("Results", out, |out| results(form, out));
        group("With each case", out, |out| {
            check("details", "Details", "input, output, failures, checks", true, out);
            check("transcripts", "Transcripts", "the conversations", true, out);
            let hint = "as the files write them; they hold the other two, so only with both";
            check("raw", "Raw records", hint, true, out);
        });
        group("The file", out, |out| {
            radio("open", "", "Read-only", "takes no further files", true, out);
            radio(
                "open",
                "yes",
                "With drop enabled",
                "others may open more results beside these",
                false,
                out,
            );
        });
        group("Taken out", out, |out| {
            let hint = "API keys, tokens, passwords, private keys: the first three characters stay";
            check("secrets", "Mask secrets", hint, true, out);
            let hint = "One to a line. What stands in them becomes [removed].";
            area("fields", "Fields by name", hint, "user_email", out);
            let hint = "Regular expressions, one to a line. What they match becomes [redacted].";
            area("patterns", "Patterns", hint, r"[\w.]+@example\.org", out);
        });
    });
    out.open("div").class("seal__actions").body(|out| {
        button("seal-prepare", "button button--main", "Prepare", out);
        button("seal-close", "button", "Close", out);
        out.span("field__hint", "Nothing is saved yet: sizes and what was taken out come first.");
    });
    out
}

fn results(form: &SealForm, out: &mut Markup) {
    let Some(selected) = &form.selected else {
        out.open("p").class("seal__note").text(&form.all);
        return;
    };
    radio("view", "", "Everything", &form.all, false, out);
    radio("view", "yes", "What is selected", selected, true, out);
    if let Some(n_cases) = form.n_filtered {
        let cases = format::counted(n_cases, "case", "cases");
        out.open("p").class("seal__note").text(&format!(
            "With what is selected, every case keeps its scores, and the {cases} in the filter alone carry the rest, so that all figures stay."
        ));
    }
}

/// What was prepared, and the button that saves it.
pub fn seal_summary(summary: &SealSummary) -> Markup {
    let SealSummary { name, n_data, n_packed, n_file, left_out, rules, is_redacted } = summary;
    let mut out = Markup::new();
    out.open("h3").class("seal__heading").text("Ready to save");
    out.open("dl").class("seal__sizes").body(|out| {
        let mut size = |what: &str, n_bytes: u64| {
            out.open("div").body(|out| {
                out.open("dt").text(what);
                out.open("dd")
                    .attr("title", &format!("{} bytes", format::count(n_bytes)))
                    .text(&format::bytes(n_bytes));
            });
        };
        size("Results", *n_data);
        size("Packed", *n_packed);
        size("Whole file", *n_file);
    });
    if *n_file > LARGE {
        out.open("p").class("seal__note seal__note--warning").text(
            "Not every browser opens a file of this size. Without raw records or transcripts it is smaller.",
        );
    }
    let left_out = if left_out.is_empty() { "nothing".to_owned() } else { left_out.join(", ") };
    out.open("p").class("seal__note").text(&format!("Left out or replaced: {left_out}."));
    if rules.is_empty() && *is_redacted {
        out.open("p").class("seal__note").text("Nothing looked like a secret or fitted a rule.");
    }
    rules.iter().for_each(|rule| found(rule, &mut out));
    out.open("div").class("seal__actions").body(|out| {
        out.open("button")
            .attr("type", "button")
            .class("button button--main")
            .attr("id", "seal-save")
            .attr("data-do", "seal-save")
            .text("Save");
        out.span("field__hint", name);
    });
    out
}

fn found(rule: &SealRule, out: &mut Markup) {
    out.open("details").class("seal__rule").attr("open", "").body(|out| {
        out.open("summary").body(|out| {
            out.span("seal__rule-name", &rule.words);
            out.text(" ");
            out.span("seal__count", &format!("{}×", format::count(rule.n)));
        });
        out.open("ul").class("seal__samples").body(|out| {
            for [place, before, after] in &rule.samples {
                out.open("li").body(|out| {
                    out.span("seal__place", place);
                    out.open("span").class("seal__change").body(|out| {
                        out.open("del").text(before);
                        out.text(" → ");
                        out.open("ins").text(after);
                    });
                });
            }
            let n_shown = rule.samples.len() as u64;
            if let Some(n_more) = rule.n.checked_sub(n_shown).filter(|n_more| *n_more > 0) {
                out.open("li")
                    .class("field__hint")
                    .text(&format!("and {} more", format::count(n_more)));
            }
        });
    });
}

/// Patterns that are none: line, pattern, reason.
pub fn seal_complaints(complaints: &[(usize, String, String)]) -> Markup {
    let mut out = Markup::new();
    out.open("div").class("seal__complaints").attr("role", "alert").body(|out| {
        out.open("p").text("These patterns are no regular expressions:");
        out.open("ul").body(|out| {
            for (line, pattern, reason) in complaints {
                out.open("li").body(|out| {
                    out.text(&format!("Line {line}: "));
                    out.open("code").text(pattern);
                    out.text(&format!(" ({reason})"));
                });
            }
        });
    });
    out
}

fn group(label: &str, out: &mut Markup, write: impl FnOnce(&mut Markup)) {
    out.open("fieldset").class("seal__group").body(|out| {
        out.open("legend").class("seal__legend").text(label);
        write(out);
    });
}

fn check(name: &'static str, label: &str, hint: &str, is_on: bool, out: &mut Markup) {
    option("checkbox", name, "", (label, hint), is_on, out);
}

fn radio(name: &'static str, value: &str, label: &str, hint: &str, is_on: bool, out: &mut Markup) {
    option("radio", name, value, (label, hint), is_on, out);
}

fn option(
    kind: &str,
    name: &str,
    value: &str,
    (label, hint): (&str, &str),
    is_on: bool,
    out: &mut Markup,
) {
    out.open("label").class("seal__option").body(|out| {
        out.open("input")
            .attr("type", kind)
            .attr("name", name)
            .attr("value", value)
            .attr("id", &format!("seal-{name}{value}"))
            .attr_if("checked", is_on.then_some(""))
            .end();
        out.open("span").body(|out| {
            out.text(label);
            out.text(" ");
            out.span("seal__hint", hint);
        });
    });
}

fn area(name: &str, label: &str, hint: &str, example: &str, out: &mut Markup) {
    let id = format!("seal-{name}");
    let hint_id = format!("{id}-hint");
    out.open("div").class("field seal__field").body(|out| {
        out.open("label").class("field__label").attr("for", &id).text(label);
        out.open("textarea")
            .class("field__input field__input--code seal__area")
            .attr("id", &id)
            .attr("name", name)
            .attr("rows", "2")
            .attr("spellcheck", "false")
            .attr("autocomplete", "off")
            .attr("placeholder", example)
            .attr("aria-describedby", &hint_id)
            .end();
        out.open("span").class("field__hint").attr("id", &hint_id).text(hint);
    });
}

fn button(action: &str, class: &str, words: &str, out: &mut Markup) {
    out.open("button")
        .attr("type", "button")
        .class(class)
        .attr("id", action)
        .attr("data-do", action)
        .text(words);
}
