"""Asks datasets of every fixture by every engine, and compares the answers with the JSON report.

usage: python3 tests/sql/check.py PROGRAM [ENGINE…]     PROGRAM: the built example `report`

Every folder of fixtures is read twice by PROGRAM: into the report, which is the reference, and into a dataset. Each query of
`sql/queries` is asked by each engine that is there: whole numbers have to be equal, others to 1e-9. An engine that is not installed
is left out, and a line says so; DataFusion never is: EVALGLASS_SQL names its program, or cargo builds it, for a short build and not for speed. Prints one line for each
check that fails, and at the end how many did not.
"""

import csv
import importlib.util
import io
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
SPELLED = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}

spec = importlib.util.spec_from_file_location("run", ROOT / "sql" / "run.py")
run = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run)

failures = []
n_checks = 0


def check(is_so, what):
    global n_checks
    n_checks += 1
    if not is_so:
        failures.append(what)
        print(f"FAILED {what}")


def number(value):
    """A number of the report or of a CSV, however it is spelled; None of what is missing."""
    if value in (None, ""):
        return None
    return float(SPELLED.get(value, value)) if isinstance(value, str) else float(value)


def same(found, wanted):
    found, wanted = number(found), number(wanted)
    if found is None or wanted is None:
        return found is None and wanted is None
    if math.isnan(found) or math.isnan(wanted):
        return math.isnan(found) and math.isnan(wanted)
    # Whole numbers have to be equal; below 2^53 a difference of 1 is more than this allows of any sum of ours.
    return found == wanted or abs(found - wanted) <= 1e-9 * max(1.0, abs(wanted)) and not (found.is_integer() and wanted.is_integer())


def at(value, path):
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def total(values):
    """Their sum as SQL has it: None of nothing."""
    known = [number(value) for value in values if number(value) is not None]
    return sum(known) if known else None


def mean(values):
    known = [number(value) for value in values if number(value) is not None]
    return sum(known) / len(known) if known else None


def folders():
    """Every folder of fixtures that holds results, as one would drop it."""
    for producer in sorted(path for path in FIXTURES.iterdir() if path.is_dir()):
        # A dataset is not put into another one: report says so.
        if producer.name in ("schemas", "bad", "compare", "declared", "dataset"):
            continue
        inner = sorted(path for path in producer.iterdir() if path.is_dir())
        yield from inner or [producer]
        if inner and any(path.is_file() for path in producer.iterdir()):
            yield from sorted(path for path in producer.iterdir() if path.is_file() and path.name not in ("expected.json", "README.md"))


def broken(place):
    """A run directory in which the evaluation.json of a checkpoint is broken, so that no policy judges it."""
    folder = place / "broken"
    shutil.copytree(FIXTURES / "slop-code" / "g2" / "v1.0", folder)
    for path in folder.glob("*/*/checkpoint_3/evaluation.json"):
        path.write_text('{"a":')
    return folder


class Reference:
    """What the report says of everything in one dataset."""

    def __init__(self):
        self.runs, self.evaluations = {}, {}

    def add(self, report):
        for one in report["evaluations"]:
            self.evaluations[one["id"]] = one
        for one in report["runs"]:
            self.runs[one["id"]] = one

    def runs_by(self, key):
        found = {}
        for one in self.runs.values():
            if one.get(key) is not None:
                found.setdefault(one[key], []).append(one)
        return found


def prepare(program, place):
    """Datasets with every fixture, each with its reference. Folders of the same name come into different ones."""
    datasets = []
    for folder in [*folders(), broken(place)]:
        done = subprocess.run([program, folder], capture_output=True)
        if done.returncode:
            continue
        report = json.loads(done.stdout)
        ids = {one["id"] for one in report["evaluations"]}
        for dataset, reference in datasets:
            if not ids & set(reference.evaluations):
                break
        else:
            dataset, reference = place / f"dataset-{len(datasets) + 1}", Reference()
            datasets.append((dataset, reference))
        done = subprocess.run([program, "--dataset", dataset, folder], capture_output=True, text=True)
        check(done.returncode == 0, f"{folder}: the dataset is written: {done.stderr}")
        reference.add(report)
    return datasets


# Columns of run_figures and where the report has them.
RUN_FIGURES = {
    "total": "counts.total", "attempted": "counts.attempted", "passed": "counts.passed", "failed": "counts.failed",
    "errors": "counts.error", "skipped": "counts.skipped", "scored": "counts.scored", "unscored": "counts.unscored",
    "mean_score": "score.mean_attempted", "mean_total": "score.mean_total", "n_scores": "score.n",
    "mean_of_groups": "score.mean_of_groups", "weighted": "score.weighted", "reward": "reward",
    "prompt_tokens": "usage.prompt_tokens", "completion_tokens": "usage.completion_tokens",
    "cached_input_tokens": "usage.cached_input_tokens", "cache_write_tokens": "usage.cache_write_tokens",
    "reasoning_tokens": "usage.reasoning_tokens", "cost_usd": "usage.cost_usd",
    "mean_secs": "timing.mean_secs", "p50_secs": "timing.p50_secs", "p95_secs": "timing.p95_secs",
}


def score_of(one):
    """Score of a run as evaluation_figures takes it."""
    weighted = at(one, "score.weighted")
    return weighted if weighted is not None else at(one, "score.mean_attempted")


def run_figures(rows, ref, where):
    check({row["run"] for row in rows} == set(ref.runs), f"{where}: the runs are those of the report")
    for row in rows:
        one = ref.runs.get(row["run"], {})
        for column, path in RUN_FIGURES.items():
            check(same(row[column], at(one, path)), f"{where}: {row['run']}: {column} is {row[column]}, not {at(one, path)}")
        if one.get("usage"):
            check(same(row["cost_missing"], at(one, "usage.cost_missing")), f"{where}: {row['run']}: cost_missing")
        rate(row, one, where)


def rate(row, one, where):
    """Wilson's interval by its formula."""
    passed, n = at(one, "counts.passed"), at(one, "counts.total")
    low = high = None
    if passed is not None and n:
        z, p = 1.959963984540054, passed / n
        centre, half = (p + z * z / (2 * n)) / (1 + z * z / n), z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = 0.0 if passed == 0 else centre - half, 1.0 if passed == n else centre + half
        check(same(row["pass_rate"], p), f"{where}: {row['run']}: pass_rate")
    check(same(row["pass_rate_low"], low) and same(row["pass_rate_high"], high), f"{where}: {row['run']}: Wilson's interval")


def pass_rates(rows, ref, where):
    check({row["run"] for row in rows} == {one["id"] for one in ref.runs.values() if at(one, "counts.passed") is not None}, f"{where}: runs")
    for row in rows:
        rate(row, ref.runs.get(row["run"], {}), where)


def counts(rows, ref, where):
    grouped = ref.runs_by("evaluation")
    check({row["evaluation"] for row in rows} == set(grouped), f"{where}: evaluations")
    for row in rows:
        for column in ("total", "attempted", "passed", "failed", "errors", "skipped", "scored", "unscored"):
            wanted = total(at(one, RUN_FIGURES[column]) for one in grouped.get(row["evaluation"], []))
            check(same(row[column], wanted), f"{where}: {row['evaluation']}: {column} is {row[column]}, not {wanted}")


def usage(rows, ref, where):
    grouped = ref.runs_by("evaluation")
    for row in rows:
        for column in ("cost_usd", "prompt_tokens", "completion_tokens", "cached_input_tokens", "cache_write_tokens", "reasoning_tokens"):
            wanted = total(at(one, f"usage.{column}") for one in grouped.get(row["evaluation"], []))
            check(same(row[column], wanted), f"{where}: {row['evaluation']}: {column} is {row[column]}, not {wanted}")


def group_scores(rows, ref, where):
    wanted = {(one["id"], place): group for one in ref.runs.values() for place, group in enumerate(one.get("groups", []))}
    check({(row["run"], int(row["place"])) for row in rows} == set(wanted), f"{where}: groups")
    for row in rows:
        group = wanted.get((row["run"], int(row["place"])), {})
        for column in ("cases", "passed", "score", "weight"):
            check(same(row[column], group.get(column)), f"{where}: {row['run']} {row['name']}: {column} is {row[column]}, not {group.get(column)}")


def metrics(rows, ref, where):
    wanted = {(one["id"], metric["name"]): metric for one in ref.runs.values() for metric in one.get("metrics", [])}
    found = {(row["run"], row["name"]): row for row in rows}
    check(set(wanted) <= set(found), f"{where}: metrics")
    for key, metric in wanted.items():
        row = found.get(key, {})
        for column, member in (("n", "n"), ("mean_score", "mean_attempted")):
            check(same(row.get(column), metric[member]), f"{where}: {key}: {column} is {row.get(column)}, not {metric[member]}")


def percentile_of(percent):
    """numpy.percentile over the cases' scores of runs without a primary metric, for which the mean says that it is over just these."""
    def compare(rows, ref, where):
        found = {row["run"]: row for row in rows}
        n_compared = 0
        for id, one in ref.runs.items():
            scores = sorted(number(case["score"]) for case in one["cases"] if number(case["score"]) is not None)
            own_mean, known = at(one, "score.mean_attempted"), mean(scores)
            if len(scores) != at(one, "score.n") or not scores or not all(map(math.isfinite, scores)) or not same(own_mean, known):
                continue
            place = (len(scores) - 1) * (percent / 100)
            low, high = scores[math.floor(place)], scores[math.ceil(place)]
            n_compared += 1
            wanted = low + (high - low) * (place - math.floor(place))
            check(same(found.get(id, {}).get("percentile"), wanted), f"{where}: {id}: p{percent} is {found.get(id, {}).get('percentile')}, not {wanted}")
        check(n_compared > 0, f"{where}: nothing was compared")
    return compare


def policies(rows, ref, where):
    wanted = {one["id"]: one["policies"] for one in ref.runs.values() if one.get("policies")}
    check({row["run"] for row in rows} == set(wanted), f"{where}: runs with policies")
    for row in rows:
        for name, holds in wanted.get(row["run"], {}).items():
            found = row[name.replace("-", "_")]
            check(found == str(holds).lower(), f"{where}: {row['run']}: {name} is {found}, not {holds}")


def gates(rows, ref, where):
    for row in rows:
        repeats = ref.evaluations.get(row["evaluation"], {}).get("repeats", [])
        gate = next((one.get("gate") for one in repeats if one["repeat"] == int(row["repeat"])), None) or {}
        check(same(row["value"], gate.get("value")), f"{where}: {row['evaluation']} {row['repeat']}: gate is {row['value']}, not {gate.get('value')}")
        wanted = "" if gate.get("passed") is None else str(gate["passed"]).lower()
        check(row["passed"] == wanted, f"{where}: {row['evaluation']} {row['repeat']}: gate passed is {row['passed']}, not {wanted}")
    for id, one in ref.evaluations.items():
        known = [gate["value"] for gate in (repeat.get("gate") for repeat in one["repeats"]) if gate and gate["value"] is not None]
        has = [row for row in rows if row["evaluation"] == id]
        check(not has or len(has) == len(one["repeats"]) or not known, f"{where}: {id}: every repeat has its gate")


def repeats(rows, ref, where):
    wanted = {(id, repeat["repeat"]): repeat for id, one in ref.evaluations.items() for repeat in one["repeats"]}
    check({(row["evaluation"], int(row["repeat"])) for row in rows} <= set(wanted), f"{where}: repeats")
    for row in rows:
        repeat = wanted.get((row["evaluation"], int(row["repeat"])), {})
        for column in ("total", "attempted", "errors", "skipped", "n_scores", "mean_score", "mean_total"):
            check(same(row[column], at(repeat, RUN_FIGURES[column])),
                  f"{where}: {row['evaluation']} {row['repeat']}: {column} is {row[column]}, not {at(repeat, RUN_FIGURES[column])}")


def spread(rows, ref, where):
    wanted = {id: one["aggregate"] for id, one in ref.evaluations.items() if at(one, "aggregate.n_repeats") and one["aggregate"]["n_repeats"] > 1}
    check({row["evaluation"] for row in rows} == set(wanted), f"{where}: evaluations with repeats")
    for row in rows:
        one = wanted.get(row["evaluation"], {})
        check(same(row["n_repeats"], one.get("n_repeats")), f"{where}: {row['evaluation']}: n_repeats")
        for column in ("mean", "std", "min", "max"):
            check(same(row[column], at(one, f"score.{column}")), f"{where}: {row['evaluation']}: {column} is {row[column]}, not {at(one, f'score.{column}')}")


def scores_over(key, by_cases):
    def compare(rows, ref, where):
        grouped = ref.runs_by(key)
        check({row[key] for row in rows} == set(grouped), f"{where}: {key}s")
        for row in rows:
            own = grouped.get(row[key], [])
            wanted = {"n_runs": len(own), "total": total(at(one, "counts.total") for one in own), "passed": total(at(one, "counts.passed") for one in own),
                      "mean_of_runs": mean(score_of(one) for one in own), "cost_usd": total(at(one, "usage.cost_usd") for one in own)}
            if by_cases:
                scored = [(number(score_of(one)), one["counts"]["total"]) for one in own if score_of(one) is not None]
                n = sum(weight for _, weight in scored)
                wanted["mean_by_cases"] = sum(score * weight for score, weight in scored) / n if n else None
            for column, value in wanted.items():
                check(same(row[column], value), f"{where}: {row[key]}: {column} is {row[column]}, not {value}")
    return compare


def tries(ref, evaluation):
    """Verdicts of each case of an evaluation: by subject and case."""
    found = {}
    for one in ref.runs.values():
        if one["evaluation"] != evaluation:
            continue
        for case in one["cases"]:
            if case.get("passed") is not None:
                key = (one.get("suite"), one.get("variant"), case.get("group"), case.get("variant"), str(case["id"]))
                found.setdefault(one.get("subject"), {}).setdefault(key, []).append(case["passed"])
    return found


def pass_at(k):
    def compare(rows, ref, where):
        found = {(row["evaluation"], row["subject"]): row for row in rows}
        for id, one in ref.evaluations.items():
            if one["producer"] == "slop-code":
                continue
            for subject, cases in tries(ref, id).items():
                chances = [1 - math.comb(len(tried) - sum(tried), k) / math.comb(len(tried), k) for tried in cases.values() if len(tried) >= k]
                row = found.get((id, subject or ""), {})
                check(same(row.get("pass_at_k"), mean(chances)) and same(row.get("n_cases"), len(chances) or None),
                      f"{where}: {id} {subject}: pass@{k} is {row.get('pass_at_k')}, not {mean(chances)}")
    return compare


def transitions(baseline, candidate):
    def once(ref, evaluation):
        found = {}
        for one in ref.runs.values():
            for case in one["cases"] if one["evaluation"] == evaluation else []:
                if case.get("passed") is not None:
                    key = (one.get("variant") or "", case.get("group") or "", case.get("variant") or "", str(case["id"]))
                    found.setdefault(key, []).append(case["passed"])
        return {key: verdicts[0] for key, verdicts in found.items() if len(verdicts) == 1}

    def compare(rows, ref, where):
        one, other = once(ref, baseline), once(ref, candidate)
        pairs = [(one[key], other[key]) for key in one if key in other]
        wanted = {"n_pairs": len(pairs)} | {f"n_{int(a)}{int(b)}": pairs.count((a, b)) or (0 if pairs else None) for a in (True, False) for b in (True, False)}
        for column, value in wanted.items():
            check(same(rows[0][column], value), f"{where}: {baseline} to {candidate}: {column} is {rows[0][column]}, not {value}")
        return len(pairs)
    return compare


def pairs_to_compare(ref):
    """Pairs of evaluations whose cases have the same ids, a few of them."""
    ids = {id: {str(case["id"]) for one in ref.runs.values() if one["evaluation"] == id for case in one["cases"]} for id in ref.evaluations}
    found = [(one, other) for one in sorted(ids) for other in sorted(ids) if one < other and len(ids[one] & ids[other]) > 5]
    return found[:: max(1, len(found) // 4)][:4]


PLAIN = {"run_figures": run_figures, "counts": counts, "usage": usage, "group_scores": group_scores, "policies": policies, "gates": gates, "metrics": metrics,
         "pass_rates": pass_rates, "repeats": repeats, "spread": spread, "evaluations": scores_over("evaluation", True),
         "models": scores_over("subject", False)}


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def ask(name, dataset, ref):
    engine = run.ENGINES[name](str(dataset), None)
    for query, compare in PLAIN.items():
        compare(rows_of(engine.ask(run.query_text(query, {}))), ref, f"{name}: {query}")
    for k in (1, 2):
        pass_at(k)(rows_of(engine.ask(run.query_text("pass_at_k", {"k": str(k)}))), ref, f"{name}: pass_at_k")
    for percent in (50, 90):
        percentile_of(percent)(rows_of(engine.ask(run.query_text("percentiles", {"percent": str(percent)}))), ref, f"{name}: percentiles")
    for baseline, candidate in pairs_to_compare(ref):
        rows = rows_of(engine.ask(run.query_text("transitions", {"baseline": baseline, "candidate": candidate})))
        transitions(baseline, candidate)(rows, ref, f"{name}: transitions")
    engine.close()


def missing(name):
    """Why an engine is not asked; None: it is there."""
    if name == "spark" and not shutil.which("java"):
        return "there is no Java"
    module = {"duckdb": "duckdb", "spark": "pyspark"}.get(name)
    if module and importlib.util.find_spec(module) is None:
        return f"pip install {module}"
    return None


def main():
    program = str(Path(sys.argv[1]).resolve())
    wanted = sys.argv[2:] or list(run.ENGINES)
    queries = {path.stem for path in (ROOT / "sql" / "queries").glob("*.sql")}
    check(queries == set(PLAIN) | {"pass_at_k", "percentiles", "transitions"}, f"every query is compared: {sorted(queries)}")
    listed = (ROOT / "crates" / "sql" / "src" / "views.rs").read_text()
    for path in (ROOT / "sql" / "views").glob("*.sql"):
        check(f"sql/views/{path.name}" in listed, f"crates/sql knows {path.name}")
    listed = (ROOT / "crates" / "sql" / "src" / "queries.rs").read_text()
    for name in queries:
        check(f"sql/queries/{name}.sql" in listed, f"page SQL offers {name}")
    with tempfile.TemporaryDirectory() as place:
        datasets = prepare(program, Path(place))
        n_runs = sum(len(ref.runs) for _, ref in datasets)
        check(n_runs > 100, f"{n_runs} runs of fixtures are compared")
        for name in wanted:
            why = missing(name)
            if why:
                print(f"skipped {name}: not installed: {why}")
                continue
            if name == "datafusion":
                os.environ["EVALGLASS_SQL"] = run.datafusion_program("dev")
            for dataset, ref in datasets:
                ask(name, dataset, ref)
    print(f"{n_checks - len(failures)} passed, {len(failures)} failed, {n_runs} runs")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
