"""What pandas takes for some of the questions of sql/queries over a dataset, for comparison with the engines.

usage: python3 bench/dataset_pandas.py --dataset DIR [QUESTION…]

Each question is asked in a process of its own that reads the columns it needs of all parts, as a notebook would. It prints seconds, the
most memory, and rows; a process that runs out of memory is named as such. pandas uses one core for nearly all of it.
Answers are those of the query of the same name as far as its columns go; `--out FOLDER` writes them as CSV, to compare.
"""

import argparse
import os
import resource
import time
from pathlib import Path

import pandas as pd
import pyarrow.dataset as ds


def read(dataset, table, columns, **more):
    parts = pd.read_parquet(dataset / "parts.parquet")
    files = [str(dataset / path) for path in parts.loc[parts.table_name == table, "path"]]
    return ds.dataset(files, format="parquet").to_table(columns=columns, **more).to_pandas()


def counts(dataset):
    cases = read(dataset, "cases", ["evaluation", "outcome"])
    return cases.groupby("evaluation")["outcome"].value_counts().unstack(fill_value=0)


def pass_rates(dataset):
    cases = read(dataset, "cases", ["run", "outcome"])
    passed = cases["outcome"].eq("passed").groupby(cases["run"])
    return pd.DataFrame({"passed": passed.sum(), "total": passed.size()})


def usage(dataset):
    tokens = ["prompt_tokens", "completion_tokens", "cached_input_tokens", "cache_write_tokens", "reasoning_tokens", "cost_usd"]
    return read(dataset, "cases", ["evaluation", *tokens]).groupby("evaluation")[tokens].sum(min_count=1)


def attempted(dataset, columns):
    """Cases, with whether each was attempted as the view case_facts has it."""
    cases = read(dataset, "cases", ["run", "outcome", "attempted", *columns])
    cases["attempted"] = cases["attempted"].astype("boolean").fillna(~cases.pop("outcome").isin(["error", "skipped"])).astype(bool)
    return cases


def metric_scores(dataset):
    """Scores of checks, with whether their case was attempted: the view metric_scores for results with one attempt a case."""
    checks = read(dataset, "checks", ["evaluation", "run", "case_idx", "name", "score"])
    checks = checks[checks["score"].notna()]
    left_out = attempted(dataset, ["case_idx"]).query("not attempted")
    return checks.merge(left_out, on=["run", "case_idx"], how="left").fillna({"attempted": True})


def metrics(dataset):
    scores = metric_scores(dataset)
    return scores.groupby(["run", "name"])["score"].agg(["size", "mean", "std"])


def percentiles(dataset):
    evaluations = pd.read_parquet(dataset / "evaluations.parquet").set_index("evaluation")
    own = evaluations["primary_metric"].isna()
    graded = evaluations["mean_over"].eq("graded")
    cases = attempted(dataset, ["evaluation", "score"])
    cases = cases[cases["score"].notna() & cases["evaluation"].map(own) & (cases["evaluation"].map(graded) | cases["attempted"])]
    scores = metric_scores(dataset)
    scores = scores[(scores["name"] == scores["evaluation"].map(evaluations["primary_metric"]))
                    & (scores["evaluation"].map(graded) | scores["attempted"].astype(bool))]
    return pd.concat([cases[["run", "score"]], scores[["run", "score"]]]).groupby("run")["score"].quantile(0.9).to_frame("percentile")


QUESTIONS = [counts, pass_rates, usage, metrics, percentiles]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("question", nargs="*")
    wish = parser.parse_args()
    for question in QUESTIONS:
        name = question.__name__
        if wish.question and name not in wish.question:
            continue
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            found = question(wish.dataset)
            if wish.out:
                wish.out.mkdir(parents=True, exist_ok=True)
                found.to_csv(wish.out / f"{name}.csv")
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
            print(f"  {name}: {time.monotonic() - began:.1f} s, {most:.1f} GB at the most, {len(found)} rows", flush=True)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            why = f"killed by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"ended with {os.waitstatus_to_exitcode(status)}"
            print(f"  {name}: {why} after {time.monotonic() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()
