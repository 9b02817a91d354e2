//! The rules in force as a command line of `examples/report.rs`, and one rule of it read back.

use crate::figures::{RuleWords, Settings};

/// What the command begins with.
const PROGRAM: &str = "cargo run --release --example report --";
/// What stands for files where none is known.
const SOME_PATH: &str = "PATH";
/// What the name of a group's weight begins with.
const WEIGHT: &str = "weight:";

/// The command that judges `paths` by `rules`, as far as they are understood: what a shell can be given.
pub fn report_command(rules: &RuleWords, paths: &[String]) -> String {
    let mut words = vec![PROGRAM.to_owned()];
    for (at, (name, value)) in rules.iter().enumerate() {
        let is_last = rules.iter().skip(at + 1).all(|(other, _)| other != name);
        if is_last && Settings::complaint(name, value).is_none() {
            words.push("--rule".to_owned());
            words.push(quoted(&format!("{name}={value}")));
        }
    }
    if paths.is_empty() {
        words.push(SOME_PATH.to_owned());
    }
    words.extend(paths.iter().map(|path| match path.strip_prefix('-') {
        // Not an option.
        Some(_) => quoted(&format!("./{path}")),
        None => quoted(path),
    }));
    words.join(" ")
}

/// Name and value of a rule that was given as `NAME=VALUE`. The name of a group may hold a `=` itself, its
/// weight does not.
pub fn rule_of_argument(argument: &str) -> (String, String) {
    let is_weight = argument.starts_with(WEIGHT);
    let parts = if is_weight { argument.rsplit_once('=') } else { argument.split_once('=') };
    let (name, value) = parts.unwrap_or((argument, ""));
    (name.to_owned(), value.to_owned())
}

/// `word` as a POSIX shell reads it back. What would act on a terminal, or could not be seen in it, is
/// written by its number.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if !word.chars().any(is_unseen) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut out = "$'".to_owned();
    for c in word.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            // Bytes, because shells without a UTF-8 locale know no other numbers.
            c if is_unseen(c) => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    out.push_str(&format!("\\{byte:03o}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

/// Whether `c` controls a terminal or the direction of a text.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn words(list: &[(&str, &str)]) -> RuleWords {
        list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn rules_that_are_understood_stand_in_the_command() {
        let rules = words(&[
            ("policy", "any-case"),
            ("gate", "min(* <"),
            ("pass", ">= 0.5"),
            ("policy", "all-cases"),
            ("colour", "red"),
        ]);
        assert_eq!(
            report_command(&rules, &["runs".to_owned(), "-odd name".to_owned()]),
            "cargo run --release --example report -- --rule 'pass=>= 0.5' --rule policy=all-cases runs './-odd name'"
        );
        assert_eq!(report_command(&words(&[]), &[]), format!("{PROGRAM} PATH"));
    }

    /// What a shell makes of the command, word by word.
    fn read_by(shell: &str, command: &str) -> Vec<String> {
        let script = format!("printf '%s\\0' {command}");
        let out = Command::new(shell).args(["-c", &script]).output().unwrap();
        assert!(out.status.success(), "{command}");
        let text = String::from_utf8(out.stdout).unwrap();
        text.split_terminator('\0').map(str::to_owned).collect()
    }

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        let odd = [
            "it's",
            "$(touch /tmp/x) `id` ${HOME} !! \\",
            "two\nlines\tand\u{1b}[201~ more",
            "\u{202E}backwards 'quoted'\\",
            "ü ≥ 0.5 * ? ~ # & ; | > <",
            "\"",
        ];
        for name in odd {
            let rule = format!("{WEIGHT}{name}");
            let command = report_command(&words(&[(&rule, "2")]), &[name.to_owned()]);
            assert!(!command.contains(['\n', '\t', '\u{1b}', '\u{202E}']), "{command:?}");
            let read = read_by("bash", &command);
            let n_program = PROGRAM.split(' ').count();
            assert_eq!(read[n_program..], ["--rule", &format!("{rule}=2"), name], "{command}");
        }
    }

    #[test]
    fn an_argument_is_name_and_value() {
        for (argument, name, value) in [
            ("gate=avg_score(*) >= 0.8", "gate", "avg_score(*) >= 0.8"),
            ("weight:a=b=0.5", "weight:a=b", "0.5"),
            ("pass=>= 0.5", "pass", ">= 0.5"),
            ("policy", "policy", ""),
        ] {
            assert_eq!(rule_of_argument(argument), (name.to_owned(), value.to_owned()));
        }
    }
}
