"""Recomputes `comparisons` of pairs of fixture folders from their exported cases alone, and counts the differences.

usage: python3 tests/export/compare.py PROGRAM     PROGRAM: the built example `report`

Nothing here is taken from Evalglass: cases are paired and valued by the words of docs/compare.md; tests and intervals come from
scipy and statsmodels where they are installed, else from the formulas in the papers, written out again in plain Python. Figures that
are drawn (100,000 flips, BCa) are drawn again with another generator and compared to 0.005 of p and to 10 % of an interval's width (of
outcomes one step of 1/n), from 16 pairs on. Prints one line for each difference, and at the end how many there are.
"""

import itertools
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    from scipy import stats as scipy_stats
except ImportError:
    scipy_stats = None
try:
    from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.proportion import proportion_confint
except ImportError:
    statsmodels_mcnemar = multipletests = proportion_confint = None

FIXTURES = Path(__file__).resolve().parents[2] / "tests" / "fixtures"
REWARD, MULTI = "letta-evals/0.25.1_reward", "letta-evals/0.26.0_reward_multirun"
MODELS = ["#openai/gpt-4.1-mini", "#anthropic/claude-haiku-4-5", "#acme/unpriced-1"]
PAIRS = [
    ("letta-evals/0.3.2_single", "letta-evals/0.5.0_single"),
    ("letta-evals/0.15.0_logical_multirun", "letta-evals/0.4.1_multirun"),
    ("letta-evals/0.7.0_weighted", "letta-evals/0.9.0_weighted"),
    (REWARD + MODELS[0], REWARD + MODELS[1]),
    (REWARD, MULTI),
    ("rebel/trend/run_0", "rebel/trend/run_1"),
    ("rebel/trend/run_1", "rebel/trend/run_2"),
    ("rebel/basic", "rebel/basic"),
    ("slop-code/g1/runs", "slop-code/g1/runs"),
    ("slop-code/g1/runs", "rebel/basic"),
]
Z = statistics.NormalDist().inv_cdf(0.975)
Z80 = statistics.NormalDist().inv_cdf(0.8)
MARGIN = 0.02
differences = []
n_checks = 0


def check(found, expected, what, allowed=1e-9):
    global n_checks
    n_checks += 1
    are_numbers = lambda all: isinstance(all, list) and all and all[0] is not None and not isinstance(all[0], str)
    if are_numbers(expected) and are_numbers(found):
        is_same = len(found) == len(expected) and all(
            abs(one - two) <= allowed * max(1.0, abs(two)) for one, two in zip(found, expected))
    elif isinstance(expected, float) and isinstance(found, (int, float)):
        is_same = abs(found - expected) <= allowed * max(1.0, abs(expected))
    else:
        is_same = found == expected
    if not is_same:
        differences.append(what)
        print(f"DIFFERS {what}: {found} instead of {expected}")


# Numbers.

def t_quantile(degrees):
    if scipy_stats:
        return float(scipy_stats.t.ppf(0.975, degrees))
    # By the density, integrated with t = √ν·tan(x) so that the range is finite.
    steps = 20000

    def below(t):
        top = math.atan(t / math.sqrt(degrees))
        area = lambda limit: sum(
            (1 if at in (0, steps) else 4 if at % 2 else 2) * math.cos(limit * at / steps) ** (degrees - 1)
            for at in range(steps + 1)) * limit / steps / 3
        return area(top) / area(math.pi / 2)
    low, high = 1.9, 13.0
    for _ in range(45):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < 0.95 else (low, middle)
    return (low + high) / 2


def wilson(passed, n):
    if proportion_confint:
        low, high = proportion_confint(passed, n, 0.05, "wilson")
        return float(low), float(high)
    centre = (passed + Z * Z / 2) / (n + Z * Z)
    half = Z / (n + Z * Z) * math.sqrt(passed * (n - passed) / n + Z * Z / 4)
    return centre - half, centre + half


def newcombe(both, only_a, only_b, neither):
    n = both + only_a + only_b + neither
    rate_a, rate_b = (both + only_a) / n, (both + only_b) / n
    (low_a, high_a), (low_b, high_b) = wilson(both + only_a, n), wilson(both + only_b, n)
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    product = both * neither - only_a * only_b
    phi = 0.0 if margins == 0 else (max(product - n / 2, 0) if product > 0 else product) / math.sqrt(margins)
    down = math.sqrt((rate_b - low_b) ** 2 - 2 * phi * (rate_b - low_b) * (high_a - rate_a) + (high_a - rate_a) ** 2)
    up = math.sqrt((high_b - rate_b) ** 2 - 2 * phi * (high_b - rate_b) * (rate_a - low_a) + (rate_a - low_a) ** 2)
    return [rate_b - rate_a - down, rate_b - rate_a + up]


def mcnemar(only_a, only_b):
    n, fewer = only_a + only_b, min(only_a, only_b)
    own = math.comb(n, fewer) / 2 ** n
    if only_a == only_b:
        return 1.0, 1.0
    if statsmodels_mcnemar:
        p = float(statsmodels_mcnemar([[0, only_a], [only_b, 0]], exact=True).pvalue)
    else:
        p = min(1.0, 2 * sum(math.comb(n, k) for k in range(fewer + 1)) / 2 ** n)
    return p, p - own


def sign_flip(apart):
    sizes = [abs(one) for one in apart if one != 0]
    seen = abs(math.fsum(apart)) - 1e-12 * math.fsum(sizes)
    if not sizes or seen <= 0:
        return 1.0, True
    if len(sizes) <= 20:
        half = len(sizes) // 2
        sums = lambda part: [math.fsum(signs) for signs in itertools.product(*[(-one, one) for one in part])]
        right = sums(sizes[half:])
        n = sum(1 for one in sums(sizes[:half]) for other in right if abs(one + other) >= seen)
        return n / 2 ** len(sizes), True
    draw = random.Random(5)
    n = sum(abs(sum(one if draw.random() < 0.5 else -one for one in sizes)) >= seen for _ in range(20000))
    return (n + 1) / 20001, False


def bca(baseline, candidate, ratio=False):
    pairs, draw = list(zip(baseline, candidate)), random.Random(7)
    n = len(pairs)
    figure = lambda a, b: math.log(b / a) if ratio else (b - a) / n
    try:
        found = []
        for _ in range(10000):
            own = draw.choices(pairs, k=n)
            found.append(figure(sum(one for one, _ in own), sum(two for _, two in own)))
        a, b = sum(baseline), sum(candidate)
        whole = figure(a, b)
        without = [(math.log((b - two) / (a - one)) if ratio else ((b - two) - (a - one)) / (n - 1)) for one, two in pairs]
    except (ValueError, ZeroDivisionError):
        return None
    found.sort()
    middle = statistics.fmean(without)
    squares = sum((middle - one) ** 2 for one in without)
    lean = sum((middle - one) ** 3 for one in without) / (6 * squares ** 1.5) if squares else 0.0
    same = 1e-12 * (found[-1] - found[0])
    share = (sum(one < whole - same for one in found) + sum(one <= whole + same for one in found)) / 2 / len(found)
    normal = statistics.NormalDist()
    shift = normal.inv_cdf(share)
    ends = []
    for z in (-Z, Z):
        at = normal.cdf(shift + (shift + z) / (1 - lean * (shift + z))) * (len(found) - 1)
        below = min(int(at), len(found) - 2)
        ends.append(found[below] + (at - below) * (found[below + 1] - found[below]))
    return [math.exp(one) for one in ends] if ratio else ends


def holm(p):
    if not p:
        return []
    if multipletests:
        return [float(one) for one in multipletests(p, method="holm")[1]]
    order, out, largest = sorted(range(len(p)), key=lambda at: p[at]), [0.0] * len(p), 0.0
    for nth, at in enumerate(order):
        largest = max(largest, min(1.0, p[at] * (len(p) - nth)))
        out[at] = largest
    return out


# Cases.

def number(value):
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None


class Side:
    """The cases of some runs: trials by key, in the order of the files."""

    def __init__(self, report, ids):
        self.trials, self.duplicates = {}, 0
        evaluations = {one["id"]: one for one in report["evaluations"]}
        runs = {one["id"]: one for one in report["runs"]}
        self.metrics = []
        for run in (runs[one] for one in ids):
            config = evaluations[run["evaluation"]]["config"]
            self.metrics += [one for one in config["metrics"] if one not in self.metrics]
            is_judged = any(case["outcome"] in ("passed", "failed") for case in run["cases"])
            seen = {}
            for case in run["cases"]:
                is_number = not isinstance(case["id"], str)
                written = case.get("id_number", str(case["id"]))
                key = (run.get("suite"), run.get("variant"), case.get("group"), case.get("variant"), is_number, written)
                nth = seen[key] = seen.get(key, -1) + 1
                if nth and (key, nth) not in self.trials:
                    self.duplicates += 1
                self.trials.setdefault((key, nth), []).append((case, config, is_judged))

    def keys(self, by):
        """The keys that cases are paired by, each with its own."""
        found, seen = {}, {}
        for (key, nth), trials in self.trials.items():
            shared = {"key": key, "id": key[5], "input": trials[0][0].get("input_hash")}[by]
            if shared is None:
                # A case of unknown input is the same as no other.
                shared = (key, nth, id(self))
            at = seen[shared] = seen.get(shared, -1) + 1
            found[(shared, at)] = (key, nth)
        return found

    def values(self, key, measure):
        found = [value_of(*trial, measure) for trial in self.trials[key]]
        return [one for one in found if one is not None]

    def came(self, key):
        outcomes = {case["outcome"] for case, _, _ in self.trials[key]}
        return outcomes.pop() if len(outcomes) == 1 else "mixed"


def value_of(case, config, is_judged, measure):
    outcome = case["outcome"]
    attempted = case.get("attempted", outcome not in ("error", "skipped"))
    is_covered = config["mean_over"] == "graded" or attempted
    if measure == "pass_rate":
        if outcome == "passed":
            return 1.0
        return 0.0 if outcome == "failed" or (outcome != "scored" and is_judged) else None
    if measure == "score":
        return number(case["score"]) if is_covered else None
    if measure.startswith("metric:"):
        scores = [number(one.get("score")) for one in case["checks"]
                  if one["name"] == measure[7:] and one.get("verdict") != "error"]
        scores = [one for one in scores if one is not None]
        return statistics.fmean(scores) if scores and is_covered else None
    return number(case.get(measure))


def recompute(report, own, name):
    one, two = Side(report, own["baseline"]["runs"]), Side(report, own["candidate"]["runs"])
    by, pairs = None, []
    for way in ("key", "id", "input"):
        left, right = one.keys(way), two.keys(way)
        found = [(left[key], right[key]) for key in left if key in right]
        if by is None or len(found) > len(pairs):
            by, pairs = way, found
        if len(pairs) * 2 >= min(len(left), len(right)):
            break
    pairing = own["pairing"]
    asked = lambda side, key: [side.trials[key][0][0].get(name) for name in ("input_hash", "expected_hash")]
    differ = lambda key, other: any(a and b and a != b for a, b in zip(asked(one, key), asked(two, other)))
    check(pairing["changed"], sum(differ(key, other) for key, other in pairs), f"{name}: pairing.changed")
    for member, expected in [("by", by), ("n_pairs", len(pairs)), ("only_baseline", len(left) - len(pairs)),
                             ("only_candidate", len(right) - len(pairs)), ("duplicates", one.duplicates + two.duplicates)]:
        check(pairing[member], expected, f"{name}: pairing.{member}")
    transitions = {}
    for key, other in pairs:
        word = f"{one.came(key)}>{two.came(other)}"
        transitions[word] = transitions.get(word, 0) + 1
    check(own["transitions"], transitions, f"{name}: transitions")
    part = lambda at: [key[0][at] or "" for key, _ in pairs]
    clusters = next((part(at) for at in (2, 1, 0) if len(set(part(at))) > 1), None)
    measures = ["pass_rate", "score"] + [f"metric:{metric}" for metric in one.metrics if metric in two.metrics]
    measures += ["cost_usd", "duration_secs", "prompt_tokens", "completion_tokens"]
    expected = [line for line in (line_of(one, two, pairs, clusters, measure) for measure in measures) if line]
    for line, p in zip(expected, holm([line["p"] for line in expected])):
        line["p_holm"] = p
    check([line["name"] for line in own["measures"]], [line["name"] for line in expected], f"{name}: measures")
    for found, line in zip(own["measures"], expected):
        compare_line(found, line, f"{name}: {line['name']}")
    deciding = next((line for line in expected if line["name"] in ("pass_rate", "score")), None)
    check(pairing["left_out"], len(pairs) - (deciding["n"] if deciding else 0), f"{name}: left_out")
    judge(own, deciding, name)
    if deciding:
        groups(own, deciding, part(2), name)


def line_of(one, two, pairs, clusters, measure):
    rows, is_binary = [], True
    for place, (key, other) in enumerate(pairs):
        own, others = one.values(key, measure), two.values(other, measure)
        if own and others:
            rows.append((statistics.fmean(own), statistics.fmean(others), place))
    # Outcomes are 0 or 1 of one trial: on all cases of a side, paired or not.
    for side in (one, two):
        for key, trials in side.trials.items():
            own = side.values(key, measure)
            is_binary = is_binary and len(own) <= 1 and all(value in (0.0, 1.0) for value in own)
    if not rows:
        return None
    baseline, candidate = [row[0] for row in rows], [row[1] for row in rows]
    apart = [two - one for one, two in zip(baseline, candidate)]
    n, mean = len(rows), statistics.fmean(apart)
    deviation = statistics.stdev(apart) if n > 1 else None
    if deviation is not None and max(apart) == min(apart):
        deviation = 0.0
    line = {"name": measure, "n": n, "baseline": statistics.fmean(baseline), "candidate": statistics.fmean(candidate),
            "difference": mean, "se": None if deviation is None else deviation / math.sqrt(n), "ci95": None, "ci95_method": "t",
            "se_clustered": None, "n_clusters": None, "p_mid": None, "mdd80": None, "pairs_needed": None,
            "rows": rows, "apart": apart, "is_binary": is_binary and measure == "pass_rate"}
    if deviation:
        half = t_quantile(n - 1) * deviation / math.sqrt(n)
        line["ci95"] = [mean - half, mean + half]
        line["mdd80"] = (Z + Z80) * deviation / math.sqrt(n)
        needed = math.ceil(((Z + Z80) * deviation / mean) ** 2) if mean else None
        # More than that says only that the difference is a matter of rounding.
        line["pairs_needed"] = needed if needed and needed < 2**53 else None
    if line["is_binary"]:
        count = lambda a, b: sum((row[0], row[1]) == (a, b) for row in rows)
        both, only_a, only_b, neither = count(1, 1), count(1, 0), count(0, 1), count(0, 0)
        line["ci95"], line["ci95_method"] = newcombe(both, only_a, only_b, neither), "newcombe-paired"
        line["p"], line["p_mid"] = mcnemar(only_a, only_b)
        line["p_method"] = "mcnemar-exact"
    else:
        line["p"], is_exact = sign_flip(apart)
        line["p_method"] = "sign-flip-exact" if is_exact else "sign-flip"
    if clusters:
        sums = {}
        for row, value in zip(rows, apart):
            sums.setdefault(clusters[row[2]], []).append(value - mean)
        n_clusters, squares = len(sums), sum(math.fsum(own) ** 2 for own in sums.values())
        if 1 < n_clusters < n and squares > 0:
            line["n_clusters"] = n_clusters
            line["se_clustered"] = math.sqrt(n_clusters / (n_clusters - 1) * squares) / n
            if n_clusters >= 10:
                half = t_quantile(n_clusters - 1) * line["se_clustered"]
                line["ci95"], line["ci95_method"] = [mean - half, mean + half], "cluster-t"
    return line


def compare_line(found, line, what):
    for member in ("n", "baseline", "candidate", "difference", "ci95", "ci95_method", "se", "se_clustered", "n_clusters",
                   "p_method", "p_mid", "mdd80", "pairs_needed"):
        check(found[member], line[member], f"{what}.{member}")
    is_drawn = line["p_method"] == "sign-flip"
    check(found["p"], line["p"], f"{what}.p", 0.01 if is_drawn else 1e-9)
    if not is_drawn:
        # Where others of the table are drawn, what is adjusted is near.
        check(found["p_holm"], line["p_holm"], f"{what}.p_holm", 0.05)
    if found["ci95_bootstrap"] is None:
        check(len(set(line["apart"])) <= 1, True, f"{what}.ci95_bootstrap")
        return
    baseline, candidate = [row[0] for row in line["rows"]], [row[1] for row in line["rows"]]
    if line["n"] < 16:
        return
    expected = bca(baseline, candidate)
    # Means of outcomes come in steps of 1/n: an end that lies between two of them may fall on either.
    allowed = max(0.1 * (expected[1] - expected[0]), 1.001 / line["n"] if line["is_binary"] else 0.0)
    for own, other in zip(found["ci95_bootstrap"], expected):
        check(abs(own - other) <= allowed, True, f"{what}.ci95_bootstrap {found['ci95_bootstrap']} {expected}")
    if found["ratio"] is not None:
        check(found["ratio"], sum(candidate) / sum(baseline), f"{what}.ratio")
        expected = bca(baseline, candidate, ratio=True)
        if found["ratio_ci95"] and expected:
            width = expected[1] - expected[0]
            for own, other in zip(found["ratio_ci95"], expected):
                check(abs(own - other) <= 0.1 * width, True, f"{what}.ratio_ci95 {found['ratio_ci95']} {expected}")


def judge(own, line, name):
    if line is None:
        verdict, guard = "cannot-tell", "undecided"
    else:
        # Where all pairs differ by the same there is no interval: Wilson says how many others could differ otherwise.
        apart = Z**2 / (line["n"] + Z**2)
        middle = (1 - apart) * line["difference"]
        in_unit = all(0 <= value <= 1 for row in line["rows"] for value in row[:2])
        open_ends = (middle - apart, middle + apart) if in_unit else (-math.inf, math.inf)
        low, high = line["ci95"] or open_ends
        if low == high:
            low, high = open_ends
        verdict = "better" if low > 0 else "worse" if high < 0 else "same" if low >= -MARGIN and high <= MARGIN else "cannot-tell"
        guard = "held" if low >= -MARGIN else "broken" if high < -MARGIN else "undecided"
    check(own["verdict"]["is"], verdict, f"{name}: verdict")
    check(own["guard"], guard, f"{name}: guard")
    check(own["verdict"]["measure"], line["name"] if line else None, f"{name}: deciding measure")


def groups(own, line, names, name):
    parts = {}
    for row, apart in zip(line["rows"], line["apart"]):
        parts.setdefault(names[row[2]], []).append((row[0], row[1], apart))
    if len(parts) < 2:
        check(own["by_group"], [], f"{name}: by_group")
        return
    check({part["group"] for part in own["by_group"]}, set(parts), f"{name}: groups")
    check(sum(part["contribution"] for part in own["by_group"]), line["difference"], f"{name}: contributions")
    p = {}
    for part in own["by_group"]:
        rows = parts[part["group"]]
        mean = statistics.fmean(row[2] for row in rows)
        what = f"{name}: group {part['group']}"
        check(part["n"], len(rows), f"{what}.n")
        check(part["difference"], mean, f"{what}.difference")
        check(part["share"], len(rows) / line["n"], f"{what}.share")
        check(part["contribution"], len(rows) / line["n"] * mean, f"{what}.contribution")
        if line["is_binary"]:
            count = lambda a, b: sum((row[0], row[1]) == (a, b) for row in rows)
            table = [count(1, 1), count(1, 0), count(0, 1), count(0, 0)]
            check(part["ci95"], newcombe(*table), f"{what}.ci95")
            p[part["group"]] = mcnemar(table[1], table[2])[0]
        else:
            p[part["group"]] = sign_flip([row[2] for row in rows])[0]
    for part, adjusted in zip(own["by_group"], holm([p[part["group"]] for part in own["by_group"]])):
        check(part["p_holm"], adjusted, f"{name}: group {part['group']}.p_holm", 0.05)


def made(folder, name, n_passed, n=40):
    """REBEL results of n cases, the first ones of which pass."""
    def case(at):
        result = {"score": float(at < n_passed), "verdict": "passed" if at < n_passed else "failed", "reason": ""}
        return {
            "name": f"case {at}", "tags": [], "retry_params": {"count": 1, "aggregation_strategy": "mean"},
            "input": {"messages": [], "api_params": {}}, "expected_output": {"output": ""}, "metrics": [{}],
            "actual_outputs": [{"output": ""}], "evaluation_results": [result], "aggregated_result": result,
        }

    path = Path(folder) / name
    path.mkdir()
    report = {"metadata": {"timestamp": "20260101_000000", "total_test_cases": n}, "test_cases": [case(at) for at in range(n)]}
    (path / "test_results_20260101_000000.json").write_text(json.dumps(report))
    return str(path)


def exits(program):
    """A pipeline stops (exit 3) exactly when the condition that it names holds."""
    def run(*arguments):
        return subprocess.run([program, *arguments], capture_output=True, text=True)

    with tempfile.TemporaryDirectory() as folder:
        side = {n: made(folder, f"passed {n}", n) for n in (40, 39, 20, 0)}
        # Which of the conditions hold: the interval of the loss lies below 0, and below -margin.
        for baseline, candidate, margin, holds in [
            (40, 0, "0.02", {"worse", "guard"}),
            (40, 20, "0.02", {"worse", "guard"}),
            (40, 20, "0.9", {"worse"}),
            (40, 39, "0.02", set()),
            (40, 40, "0.02", set()),
            (20, 40, "0.02", set()),
        ]:
            sides = ["--baseline", side[baseline], "--candidate", side[candidate], "--margin", margin]
            for condition in ("worse", "guard"):
                done = run(*sides, "--fail-on", condition)
                what = f"{baseline} against {candidate}, margin {margin}, --fail-on {condition}"
                check(done.returncode, 3 if condition in holds else 0, what)
                own = json.loads(done.stdout)["comparisons"][0]
                check(own["verdict"]["is"] == "worse", "worse" in holds, f"{what}: verdict")
                check(own["guard"] == "broken", "guard" in holds, f"{what}: guard")
            check(run(*sides).returncode, 0, f"{baseline} against {candidate} without --fail-on")
        # One candidate of several is enough.
        several = ["--baseline", side[40], "--candidate", side[40], "--candidate", side[0]]
        check(run(*several, "--fail-on", "worse").returncode, 3, "one of two candidates is worse")
        both = ["--baseline", side[40], "--candidate", side[20]]
        for arguments in [
            ["--fail-on", "worse", side[40]],
            ["--format", "comparison-md", side[40]],
            ["--baseline", side[40]],
            ["--candidate", side[40]],
            [*both, "--fail-on", "better"],
            [*both, "--margin", "-1"],
            [*both, "--margin", "much"],
            [*both, "--pair", "name"],
            [*both, "--strip", "("],
            [*both, "--format", "comparison-md", "--format", "pairs-csv"],
            ["--baseline", side[40], "--candidate", f"{folder}/nothing"],
            ["--baseline", side[40], "--candidate", f"{side[20]}#nobody"],
        ]:
            done = run(*arguments)
            what = " ".join(arguments).replace(folder, "")
            check(done.returncode, 2, what)
            check(bool(done.stderr.strip()), True, f"{what}: says why")


def main():
    program = sys.argv[1]
    exits(program)
    for baseline, candidate in PAIRS:
        arguments = [program, "--baseline", str(FIXTURES / baseline), "--candidate", str(FIXTURES / candidate)]
        done = subprocess.run(arguments, capture_output=True, text=True)
        if done.returncode != 0:
            check(done.returncode, 0, f"{baseline} {candidate}: {done.stderr}")
            continue
        report = json.loads(done.stdout)
        check(len(report["comparisons"]), 1, f"{baseline} {candidate}: comparisons")
        recompute(report, report["comparisons"][0], f"{baseline} against {candidate}")
    by = "scipy and statsmodels" if scipy_stats and statsmodels_mcnemar else "plain Python"
    print(f"{len(PAIRS)} pairs, {n_checks} values by {by}: {len(differences)} differences")
    sys.exit(1 if differences else 0)


main()
