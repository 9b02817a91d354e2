"""Writes a large seeded dataset and times every query of sql/ over it.

usage: python3 bench/dataset.py make --generate PROGRAM --report PROGRAM --dataset DIR [--runs 2000] [--cases 25000] [--writers 1]
       python3 bench/dataset.py copies --report PROGRAM --dataset DIR [--runs 2000]
       python3 bench/dataset.py ask --dataset DIR --engine duckdb|datafusion|spark [--workers N] [QUERY…]

`make` generates runs with `examples/generate.rs` (every 18th of slop-code with 20 attributes a case, the others of letta-evals with two
graders), forty at a time, adds them to the dataset and deletes them; it prints rows, seconds of writing and the most memory that a writer took.
Results need about 1.4 GB of disk at a time. `copies` fills a dataset of one evaluation up to as many by giving it other names: its records
are written anew, its parts are links to the same bytes (whose rows keep the first name). Figures are changed a little, so that small tables take
what those of different results do. For what opening costs that is enough, and takes no disk.
`ask` prints the seconds of each query, the start of the engine first.
"""

import argparse
import importlib.util
import json
import random
import resource
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
AT_ONCE = 40


def generated(wish, place, nth):
    """The folder of run `nth`."""
    if nth % 18 == 0:
        folder, kind = place / f"slop-{nth}", ["--kind", "parquet", "--cases", str(wish.cases)]
    else:
        megabytes = max(1, wish.cases * 12 // 10_000)
        folder, kind = place / f"letta-{nth}", ["--kind", "letta", "--samples", str(wish.cases), "--megabytes", str(megabytes)]
    subprocess.run([wish.generate, "--out", folder, "--seed", str(nth), *kind], check=True, stdout=subprocess.DEVNULL)
    return folder


def make(wish):
    starts = range(0, wish.runs, AT_ONCE)

    def batch(start):
        with tempfile.TemporaryDirectory() as place:
            folders = [generated(wish, Path(place), nth) for nth in range(start, min(start + AT_ONCE, wish.runs))]
            began = time.monotonic()
            subprocess.run([wish.report, "--dataset", wish.dataset, *folders], check=True, stderr=subprocess.DEVNULL)
            return time.monotonic() - began

    with ThreadPoolExecutor(wish.writers) as pool:
        seconds = list(pool.map(batch, starts))
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"{sum(seconds):.0f} s of writing by {wish.writers} at once, {most / 1024:.0f} MB at the most")
    print((wish.dataset / "manifest.json").read_text())


def copies(wish):
    (path,) = (wish.dataset / "records").iterdir()
    text = path.read_text()
    own = json.loads(text)["evaluation"]
    stem = own.removeprefix("letta-evals:")
    for nth in range(1, wish.runs):
        name = f"{stem}-copy-{nth}"
        record = json.loads(text.replace(stem, name))
        for part, first in zip(record["parts"], json.loads(text)["parts"]):
            to = wish.dataset / part["path"]
            to.parent.mkdir(parents=True, exist_ok=True)
            to.hardlink_to(wish.dataset / first["path"])
        changed = random.Random(nth)
        for row in (row for rows in record["tables"].values() for row in rows):
            row.update({key: value * changed.uniform(0.9, 1.1) for key, value in row.items() if isinstance(value, float)})
        path.with_name(path.name.replace(stem, name)).write_text(json.dumps(record, separators=(",", ":")))
    began = time.monotonic()
    subprocess.run([wish.report, "--index", wish.dataset], check=True)
    print(f"{wish.runs} evaluations, {time.monotonic() - began:.0f} s for the small tables")


def ask(wish):
    spec = importlib.util.spec_from_file_location("run", ROOT / "sql" / "run.py")
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    began = time.monotonic()
    engine = run.ENGINES[wish.engine](str(wish.dataset.resolve()), wish.workers)
    print(f"{wish.engine} {wish.workers or ''}: start {time.monotonic() - began:.1f} s", flush=True)
    ids = []
    for query in wish.query or sorted(path.stem for path in (ROOT / "sql" / "queries").glob("*.sql")):
        values = {}
        if query == "transitions":
            if not ids:
                said = engine.ask("SELECT evaluation FROM evaluations WHERE producer = 'letta-evals' ORDER BY evaluation LIMIT 2")
                ids = said.split("\n")[1:3]
            values = dict(zip(("baseline", "candidate"), ids))
        began = time.monotonic()
        try:
            n_rows = engine.ask(run.query_text(query, values)).count("\n") - 1
            print(f"  {query}: {time.monotonic() - began:.1f} s, {n_rows} rows", flush=True)
        except (Exception, SystemExit) as err:
            print(f"  {query}: {time.monotonic() - began:.1f} s, failed: {str(err)[:200]}", flush=True)
    engine.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("do", choices=["make", "copies", "ask"])
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--generate")
    parser.add_argument("--report")
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--cases", type=int, default=25000)
    parser.add_argument("--writers", type=int, default=1)
    parser.add_argument("--engine", choices=["duckdb", "datafusion", "spark"])
    parser.add_argument("--workers", type=int)
    parser.add_argument("query", nargs="*")
    wish = parser.parse_intermixed_args()
    {"make": make, "copies": copies, "ask": ask}[wish.do](wish)


if __name__ == "__main__":
    main()
