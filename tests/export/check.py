"""Opens every export of every fixture with readers that Evalglass has no part in, and compares their numbers.

usage: python3 tests/export/check.py PROGRAM     PROGRAM: the built example `report`

The JSON report is the reference: `tests/it` compares it with the pages and with the producers' own figures. Here the other
formats are read by Python's csv, json, xml and html modules, by xmllint, and by pyarrow, DuckDB and jsonschema, which
`scripts/setup.sh test` installs where it can; without them what needs them is left out, and a line says so. Everything is done
twice: by the declared rules, and by others that change verdicts. Prints one line for each check that fails, and at the end how
many did not. (The HTML is opened by a browser as well, in `tests/e2e/exports.test.mjs`.)
"""

import csv
import html.parser
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
# The rules under which everything is exported, as arguments of the program.
RULES = {"declared": [], "changed": ["--rule", "pass=>= 0.5", "--rule", "policy=any-case"]}
SPELLED = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}

failures = []
n_checks = 0


def check(is_so, what):
    global n_checks
    n_checks += 1
    if not is_so:
        failures.append(what)
        print(f"FAILED {what}")


def number(value):
    """A number of the report, however it is spelled; None of anything else."""
    value = SPELLED.get(value, value) if isinstance(value, str) else value
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def same(left, right):
    left, right = number(left), number(right)
    if left is None or right is None:
        return left is None and right is None
    return left == right or (math.isnan(left) and math.isnan(right))


def folders():
    """Every folder of fixtures that a reader would drop as a whole."""
    yield from sorted(path for path in (FIXTURES / "evalglass").iterdir() if path.is_dir())
    yield from sorted(path for path in (FIXTURES / "letta-evals").iterdir() if path.is_dir())
    yield from sorted(path for path in (FIXTURES / "rebel").iterdir() if path.is_dir())
    for generation in ("g1", "g2"):
        yield from sorted(path for path in (FIXTURES / "slop-code" / generation).iterdir() if path.is_dir())
    yield FIXTURES / "bad"


def cases_of(report):
    return [(run, row, case) for run in report["runs"] for row, case in enumerate(run["cases"])]


# Columns with numbers that the report has too, and its names for them.
CSV_NUMBERS = {"n_attempts": "n_attempts", "reward": "reward"}


def is_right(check):
    """Whether a check is right, as a producer of verdicts or of attributes says it; None: not judged."""
    verdict = check.get("verdict")
    return check.get("is_correct") if verdict is None else verdict == "passed"


def check_csv(name, path, report):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    cases = cases_of(report)
    check(len(rows) == len(cases), f"{name}: the CSV has {len(rows)} rows for {len(cases)} cases")
    flags = {True: "true", False: "false", None: ""}
    for row, (run, at, case) in zip(rows, cases):
        place = f"{name}: CSV {run['id']} {at}"
        check(list(row)[:6] == ["group", "case_id", "type", "passed", "score", "duration"], f"{place}: columns")
        check(row["run"] == run["id"] and row["case_idx"] == str(at), f"{place}: key")
        check(row["outcome"] == case["outcome"] and row["passed"] == flags[case["passed"]], f"{place}: outcome")
        check(same(float(row["score"]) if row["score"] else None, case["score"]), f"{place}: score")
        check(same(float(row["duration"]) if row["duration"] else None, case.get("duration_secs")), f"{place}: duration")
        check(row["case_id"].removeprefix("'") == str(case["id"]).removeprefix("'"), f"{place}: id")
        texts = {"group": case.get("group"), "type": case.get("kind"), "variant": case.get("variant"), "strategy": case.get("strategy"), "evaluation": run["evaluation"]}
        for column, text in texts.items():
            check(row[column].removeprefix("'") == (text or "").removeprefix("'"), f"{place}: {column}")
        judged = [is_right(one) for one in case["checks"] if is_right(one) is not None]
        check((int(row["n_checks"]), int(row["n_failed_checks"])) == (len(judged), judged.count(False)), f"{place}: checks")
        for column, member in CSV_NUMBERS.items():
            check(same(float(row[column]) if row[column] else None, case.get(member)), f"{place}: {column}")
        for text in row.values():
            plain = text.lstrip("+-").replace(".", "", 1).replace("e-", "").replace("e", "").isdigit()
            check(not text.startswith(("=", "+", "-", "@", "\t", "\r")) or plain or text in SPELLED, f"{place}: {text!r} is a formula")


def check_jsonl(name, path, report):
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.stat().st_size else []
    cases = cases_of(report)
    check(len(lines) == len(cases), f"{name}: {len(lines)} lines for {len(cases)} cases")
    for line, (run, at, case) in zip(lines, cases):
        kept = {key: value for key, value in line.items() if key in case}
        check(kept == case and (line["run"], line["case_idx"]) == (run["id"], at), f"{name}: JSONL {run['id']} {at}")


def check_junit(name, path, report):
    root = ET.parse(path).getroot()
    if shutil.which("xmllint"):
        done = subprocess.run(["xmllint", "--noout", "--nonet", path], capture_output=True, text=True, check=False)
        check(done.returncode == 0 and not done.stderr, f"{name}: xmllint: {done.stderr[:200]}")
    suites = root.findall("testsuite")
    words = ("tests", "failures", "errors", "skipped")
    sums = [sum(int(suite.get(word)) for suite in suites) for word in words]
    check([int(root.get(word)) for word in words] == sums, f"{name}: JUnit counts {sums}")
    check(root.tag == "testsuites" and len(suites) == len(report["runs"]), f"{name}: JUnit has {len(suites)} suites")
    for suite, run in zip(suites, report["runs"]):
        place = f"{name}: JUnit {run['id']}"
        counts = run["counts"]
        found = [int(suite.get(word)) for word in ("tests", "failures", "errors", "skipped")]
        check(found == [counts["total"], counts["failed"] or 0, counts["error"], counts["skipped"] + counts["scored"] + counts["unscored"]], f"{place}: {found}")
        tests = suite.findall("testcase")
        check(len(tests) == len(run["cases"]), f"{place}: tests")
        elements = {"failed": "failure", "error": "error", "skipped": "skipped", "scored": "skipped", "unscored": "skipped"}
        for test, case in zip(tests, run["cases"]):
            own = [element.tag for element in test if element.tag in elements.values()]
            wanted = [elements[case["outcome"]]] if case["outcome"] in elements else []
            check(own == wanted and test.get("name") and test.get("classname") is not None, f"{place}: {test.get('name')}")
            time = test.get("time")
            # What is no finite number has no place in the format.
            seconds = number(case.get("duration_secs"))
            finite = seconds if seconds is not None and math.isfinite(seconds) else None
            check(same(float(time) if time else None, finite), f"{place}: time of {test.get('name')}")
            score = test.findtext("system-out")
            check(same(float(score.split()[1]) if score else None, case["score"]), f"{place}: score of {test.get('name')}")


def check_flips(name, path, report):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    flips = report.get("flips", [])
    check(len(rows) == len(flips), f"{name}: {len(rows)} rows for {len(flips)} flips")
    for row, flip in zip(rows, flips):
        place = f"{name}: flip of {flip['level']} {flip['name']}"
        for word in ("level", "within", "name", "from", "to", "why"):
            check(row[word].removeprefix("'") == str(flip.get(word) or "").removeprefix("'"), f"{place}: {word}")
        for word in ("score_from", "score_to"):
            check(same(float(row[word]) if row[word] else None, flip.get(word)), f"{place}: {word}")


def check_texts(name, out, report):
    """What every text of a person's own must hold: as many cases as there are, and the counts of passed ones."""
    cases = cases_of(report)
    detailed = (out / "evalglass-detailed.txt").read_text(encoding="utf-8")
    # The head of a run, between two lines, has a verdict of its own.
    listed = re.sub(r"^=+\n(?:.*\n)*?=+\n", "", detailed, flags=re.MULTILINE)
    found = re.findall(r"^. (?:PASSED|FAILED|ERROR|SKIPPED|SCORED|UNSCORED): ", listed, re.MULTILINE)
    check(len(found) == len(cases), f"{name}: {len(found)} cases in the text, {len(cases)} in the report")
    for run in report["runs"]:
        check(run["label"] in detailed, f"{name}: the text leaves out {run['label']}")
    markdown = (out / "evalglass-summary.md").read_text(encoding="utf-8")
    check(len(markdown) < 65536, f"{name}: Markdown is too long")
    # Where no rule says what passes, there is no number of passed cases: the rate is over the other runs.
    known = [run["counts"] for run in report["runs"] if run["counts"]["passed"] is not None]
    n_passed, n_judged = (sum(counts[word] for counts in known) for word in ("passed", "total"))
    if report["runs"]:
        counts = {"evaluation": len(report["evaluations"]), "run": len(report["runs"]), "case": len(cases)}
        for word, number in counts.items():
            fact = f"`{number:,} {word}{'' if number == 1 else 's'}`"
            check(fact in markdown, f"{name}: Markdown does not say {fact}")
        found = re.search(r"^(\|.*\|)\n(\|(?: ---: \|)+)\n(\|.*\|)$", markdown, re.MULTILINE)
        cells = lambda line: [cell.strip() for cell in line.strip("|").split("|")]
        head = dict(zip(cells(found[1]), cells(found[3]), strict=True)) if found else {}
        # Producers judge by rules of their own: passed cases of several make no sum.
        is_sum = known and n_judged and len({evaluation["producer"] for evaluation in report["evaluations"]}) == 1
        passed = f"{n_passed} / {n_judged}" if is_sum else "–"
        check(head.get("Passed", "–") == passed, f"{name}: Markdown says {head}, not {passed} passed")


class Page(html.parser.HTMLParser):
    """Elements that are open, and what must not be there."""

    def __init__(self):
        super().__init__()
        self.open, self.faults, self.ids, self.targets, self.rows = [], [], [], [], 0

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        if tag in ("script", "img", "link", "iframe", "object") or any(name.startswith("on") or name == "style" for name in names):
            self.faults.append(f"<{tag} {names}>")
        self.ids += [names["id"]] if "id" in names else []
        self.targets += [names["href"]] if "href" in names else []
        self.rows += tag == "tr"
        if tag not in ("meta", "br", "hr", "wbr", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> out of place")


def check_html(name, path, report):
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    check(not page.faults and not page.open, f"{name}: HTML {page.faults[:3]} {page.open}")
    check(len(set(page.ids)) == len(page.ids), f"{name}: an id of the HTML stands twice")
    check(all(target.startswith("#") and target[1:] in page.ids for target in page.targets), f"{name}: a link of the HTML leads nowhere")
    check(page.rows >= len(cases_of(report)), f"{name}: HTML has {page.rows} rows")


def check_parquet(name, folder, report, pyarrow, duckdb):
    cases = cases_of(report)
    checks = [(run, row, one) for run, row, case in cases for one in case["checks"]]
    read = {}
    for table, wanted in (("cases", cases), ("checks", checks)):
        path = folder / f"evalglass-{table}.parquet"
        file = pyarrow.ParquetFile(path)
        rows = file.read().to_pylist()
        codecs = {file.metadata.row_group(0).column(at).compression for at in range(file.metadata.num_columns)} if rows else {"ZSTD"}
        check(codecs == {"ZSTD"}, f"{name}: {table} packed with {codecs}")
        names = ", ".join(f'"{column}"' for column in file.schema_arrow.names)
        other = duckdb.sql(f"select {names} from read_parquet('{path}')").fetchall() if rows else []
        mine = [tuple(row.values()) for row in rows]
        check(len(rows) == len(wanted) and repr(mine) == repr(other), f"{name}: pyarrow and DuckDB differ on {table}")
        read[table] = rows
    for row, (run, at, case) in zip(read["cases"], cases):
        place = f"{name}: Parquet {run['id']} {at}"
        check((row["run"], row["case_idx"], row["case_id"]) == (run["id"], at, str(case["id"])), f"{place}: key")
        check((row["passed"], row["outcome"], row["group"]) == (case["passed"], case["outcome"], case.get("group")), f"{place}: outcome")
        check(same(row["score"], case["score"]) and same(row["duration"], case.get("duration_secs")), f"{place}: score or duration")
    for row, (run, at, one) in zip(read["checks"], checks):
        place = f"{name}: Parquet check {run['id']} {at} {one['name']}"
        check((row["run"], row["case_idx"], row["name"], row["attempt"]) == (run["id"], at, one["name"], one["attempt"]), f"{place}: key")
        check(same(row["score"], one.get("score")) and same(row["weight"], one.get("weight")), f"{place}: score or weight")
        check((row["is_correct"], row["verdict"], row["reason"]) == (one.get("is_correct"), one.get("verdict"), one.get("reason")), f"{place}: texts")


def libraries():
    """pyarrow, DuckDB and jsonschema; None with the reason when one of them is not there."""
    try:
        import duckdb
        import jsonschema
        import pyarrow.parquet
    except ImportError as error:
        return None, error
    return (pyarrow.parquet, duckdb, jsonschema), None


def check_folder(name, command, folder, out, schemas, found):
    command = [*command, "--format", "all", "--out", out, folder]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    check(done.returncode == 0, f"{name}: {done.stderr.strip()}")
    if done.returncode:
        return
    report = json.loads((out / "evalglass-report.json").read_text(encoding="utf-8"))
    check_csv(name, out / "evalglass-cases.csv", report)
    check_jsonl(name, out / "evalglass-cases.jsonl", report)
    check_junit(name, out / "evalglass-junit.xml", report)
    check_html(name, out / "evalglass-report.html", report)
    check_flips(name, out / "evalglass-flips.csv", report)
    check_texts(name, out, report)
    if found:
        pyarrow, duckdb, jsonschema = found
        check_parquet(name, out, report, pyarrow, duckdb)
        validator = jsonschema.Draft202012Validator
        faults = [error.message for error in validator(schemas["report"]).iter_errors(report)]
        check(not faults, f"{name}: report against its schema: {faults[:3]}")
        lines = (out / "evalglass-cases.jsonl").read_text(encoding="utf-8").splitlines()
        faults = [error.message for line in lines for error in validator(schemas["case"]).iter_errors(json.loads(line))]
        check(not faults, f"{name}: lines against their schema: {faults[:3]}")


def main(program):
    found, reason = libraries()
    if found is None:
        print(f"skipped: Parquet by pyarrow and DuckDB, and the JSON schemas by jsonschema: {reason}")
    if not shutil.which("xmllint"):
        print("skipped: JUnit XML by xmllint, which is not installed; Python's own parser reads it")
    schemas = {name: json.loads((ROOT / "schema" / f"evalglass-{name}-1.json").read_text()) for name in ("report", "case")}
    for folder in folders():
        for rules, arguments in RULES.items():
            with tempfile.TemporaryDirectory() as out:
                check_folder(f"{folder.relative_to(FIXTURES)}, {rules} rules", [program, *arguments], folder, Path(out), schemas, found)
    print(f"{n_checks - len(failures)} checks passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
