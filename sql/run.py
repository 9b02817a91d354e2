"""Asks a dataset by one of three engines, and prints CSV.

usage: python3 sql/run.py --engine duckdb|datafusion|spark --dataset DIR QUERY [--set name=value]… [--workers N] [--out FILE]

QUERY is the name of a file in sql/queries without `.sql`, or SQL of its own over the views of sql/views and the tables
evaluations, runs, repeats, run_groups, run_metrics, declared_figures, parts, cases, checks. `:name` in it stands for a value
that `-- set name = value` gives, or `--set`. Several queries give one CSV each, with `--out` a folder; then the engine starts once.

DuckDB comes with `pip install duckdb`, Spark with `pip install pyspark` and Java 17 or 21. DataFusion is the program of crates/sql: the one
that EVALGLASS_SQL names, or cargo builds it. EVALGLASS_MEMORY=8GB is what
DuckDB and DataFusion take at the most before they use the disk.
"""

import argparse
import csv
import io
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# What tables are called in SQL, where the name of the file is a word of SQL itself or says too little.
TABLES = {"evaluations": "evaluations", "runs": "runs", "repeats": "repeats", "groups": "run_groups",
          "metrics": "run_metrics", "declared": "declared_figures", "parts": "parts"}


def parts_of(engine):
    """The statements of an engine's file, by what they are for."""
    found = {}
    for block in (HERE / "engines" / f"{engine}.sql").read_text().split("-- part: ")[1:]:
        name, _, text = block.partition("\n")
        found.setdefault(name.strip(), []).append(text.strip())
    return found


def views():
    """Name and query of each view, those that others need first."""
    for path in sorted((HERE / "views").glob("*.sql")):
        yield path.stem.split("_", 1)[1], path.read_text().strip()


def query_text(query, values):
    """The SQL of a query that is named or written out, with its values filled in."""
    path = HERE / "queries" / f"{query}.sql"
    text = path.read_text() if re.fullmatch(r"\w+", query) and path.is_file() else query
    known = {}
    for name, value in re.findall(r"^-- set (\w+) = (.*)$", text, re.M):
        known[name] = value.strip()
    for name, value in values.items():
        if name not in known:
            sys.exit(f"{query} has no value called {name}; it has: {', '.join(known) or 'none'}")
        is_text = known[name].startswith("'")
        if not is_text and not re.fullmatch(r"-?\d+(\.\d+)?", value):
            sys.exit(f"{name} is a number")
        known[name] = "'" + value.replace("'", "''") + "'" if is_text else value
    text = "\n".join(line for line in text.splitlines() if not line.startswith("--"))
    # Not within texts, and no `::type`.
    pieces = re.split(r"('(?:[^']|'')*')", text)
    for at in range(0, len(pieces), 2):
        pieces[at] = re.sub(r"(?<!:):(\w+)", lambda found: known.get(found[1], found[0]), pieces[at])
    return "".join(pieces).strip().rstrip(";")


def cell(value):
    """A cell as CSV has it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        return repr(value)
    return str(value)


def to_csv(names, rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([cell(value) for value in row] for row in rows)
    return out.getvalue()


class DuckDb:
    def __init__(self, dataset, workers):
        import duckdb

        self.db = duckdb.connect()
        if workers:
            self.db.execute(f"SET threads = {workers}")
        if os.environ.get("EVALGLASS_MEMORY"):
            self.db.execute(f"SET memory_limit = '{os.environ['EVALGLASS_MEMORY']}'")
        # What does not fit into memory is not to lie where somebody works.
        self.db.execute("SET temp_directory = '" + tempfile.gettempdir().replace("'", "''") + "/evalglass-duckdb'")
        said = parts_of("duckdb")

        def table(name, files):
            listed = "[" + ", ".join("'" + file.replace("'", "''") + "'" for file in files) + "]"
            self.db.execute(said["table"][0].format(name=name, files=listed))

        for file, name in TABLES.items():
            table(name, [f"{dataset}/{file}.parquet"])
        for name in ("cases", "checks"):
            paths = self.db.execute("SELECT path FROM parts WHERE table_name = ? ORDER BY path", [name]).fetchall()
            table(name, [f"{dataset}/{path}" for (path,) in paths])
        for name, query in views():
            self.db.execute(said["view"][0].format(name=name, query=query))

    def ask(self, text):
        found = self.db.execute(text)
        return to_csv([column[0] for column in found.description], found.fetchall())

    def close(self):
        self.db.close()


class Spark:
    def __init__(self, dataset, workers):
        from pyspark.sql import SparkSession

        # Each worker is a process of its own with one core, as on a cluster.
        master = os.environ.get("EVALGLASS_SPARK", f"local-cluster[{workers or 2},1,1024]")
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        self.spark = (SparkSession.builder.master(master).appName("evalglass")
                      .config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "4")
                      .config("spark.log.level", "OFF").config("spark.ui.showConsoleProgress", "false").getOrCreate())
        said = parts_of("spark")
        for text in said["session"]:
            self.spark.sql(text)
        for file, name in TABLES.items():
            self.spark.read.parquet(f"{dataset}/{file}.parquet").createOrReplaceTempView(name)
        parts = self.spark.table("parts").collect()
        for name in ("cases", "checks"):
            files = sorted(f"{dataset}/{row['path']}" for row in parts if row["table_name"] == name)
            self.spark.read.parquet(*files).createOrReplaceTempView(name)
        for name, query in views():
            self.spark.sql(said["view"][0].format(name=name, query=query))

    def ask(self, text):
        found = self.spark.sql(text)
        return to_csv(found.columns, [tuple(row) for row in found.collect()])

    def close(self):
        self.spark.stop()


def datafusion_program(profile="release"):
    """The program of crates/sql, built when it is not named. EVALGLASS_SQL_TARGET is the folder for what cargo makes."""
    named = os.environ.get("EVALGLASS_SQL")
    if named:
        return named
    manifest = HERE.parent / "crates" / "sql" / "Cargo.toml"
    target = os.environ.get("EVALGLASS_SQL_TARGET")
    built = subprocess.run(["cargo", "build", "--profile", profile, "--locked", "--bin", "evalglass-sql", "--message-format=json-render-diagnostics", "--manifest-path", manifest]
                           + (["--target-dir", target] if target else []), check=True, stdout=subprocess.PIPE, text=True)
    made = [json.loads(line) for line in built.stdout.splitlines()]
    return next(one["executable"] for one in made if one.get("executable"))


class DataFusion:
    def __init__(self, dataset, workers):
        self.command = [datafusion_program(), "--dataset", dataset] + (["--workers", str(workers)] if workers else [])
        if os.environ.get("EVALGLASS_MEMORY"):
            self.command += ["--memory", os.environ["EVALGLASS_MEMORY"]]

    def ask(self, text):
        done = subprocess.run([*self.command, text], stdout=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(done.returncode)
        return done.stdout

    def close(self):
        pass


ENGINES = {"duckdb": DuckDb, "datafusion": DataFusion, "spark": Spark}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", choices=ENGINES, required=True)
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--out", type=Path, help="folder for one CSV of each query")
    parser.add_argument("query", nargs="+")
    wish = parser.parse_intermixed_args()
    values = dict(one.split("=", 1) for one in wish.set)
    dataset = wish.dataset if "://" in wish.dataset else str(Path(wish.dataset).resolve())
    try:
        engine = ENGINES[wish.engine](dataset, wish.workers)
    except ImportError as err:
        sys.exit(f"{wish.engine} is not installed: {err}")
    for query in wish.query:
        text = engine.ask(query_text(query, values))
        if wish.out:
            wish.out.mkdir(parents=True, exist_ok=True)
            (wish.out / f"{query}.csv").write_text(text)
        else:
            sys.stdout.write(text)
    engine.close()


if __name__ == "__main__":
    main()
