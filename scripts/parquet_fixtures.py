#!/usr/bin/env python3
"""Writes `tests/fixtures/parquet/`: small Parquet files by three writers, and what is in them.

The versions that wrote the committed files: pyarrow 26.0.1, duckdb 2.0.0, polars 2.1.0 (`VERSIONS` below, which
are asked for). In an environment of its own:

    python3 -m venv venv && venv/bin/pip install pyarrow==26.0.1 duckdb==2.0.0 polars==2.1.0
    venv/bin/python3 scripts/parquet_fixtures.py

A file is called `<table>-<writer>-<how>.parquet`; its rows are those of `<table>.json`, made of the values here and
not read back from a file. Values come from a seed, so two runs write the same rows.
"""

import datetime
import decimal
import json
import math
import pathlib
import random
import shutil

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as pq

VERSIONS = {"pyarrow": "26.0.1", "duckdb": "2.0.0", "polars": "2.1.0"}
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "parquet"
N_ROWS = 24
decimal.getcontext().prec = 60
CODECS = ["none", "snappy", "gzip", "brotli", "lz4", "zstd"]


class Fixed(bytes):
    """Bytes of a column in which all are equally long; they are shown as hexadecimal digits."""


def core(rng):
    """Flat columns, lists, structs, lists of structs and lists of lists; with nulls and empty ones."""
    words = ["passed", "failed", "", "é✓ \U0001f600", "a\nb\0c"]

    def maybe(value, share=0.2):
        return None if rng.random() < share else value

    def result():
        return {
            "attribute": maybe(rng.choice(["output", "exit_code", "stderr"])),
            "is_correct": maybe(rng.random() < 0.5),
            "weight": maybe(rng.choice([0.0, 1.0, 0.1, 1e-300, -2.5])),
            "actual": maybe("line %d\n" % rng.randrange(9) * rng.randrange(4)),
        }

    rows = []
    for at in range(N_ROWS):
        rows.append({
            "id": f"case_{at:03}_{rng.randrange(10**9)}",
            "name": maybe(rng.choice(words)),
            "big": maybe(rng.choice([0, -1, 2**63 - 1, -(2**63), rng.randrange(-10**12, 10**12)])),
            "small": rng.randrange(-9, 10**6),
            "flag": maybe(rng.random() < 0.5),
            "ratio": maybe(rng.choice([0.1, -0.0, 5e-324, 1.7e308, math.nan, math.inf, -math.inf, rng.random()])),
            "single": maybe(rng.choice([0.5, -1.25, 65504.0])),
            "tags": maybe([maybe(rng.choice(words)) for _ in range(rng.randrange(4))]),
            "results": maybe([maybe(result(), 0.1) for _ in range(rng.randrange(4))]),
            "meta": maybe({"seconds": maybe(rng.random()), "inner": maybe({"a": maybe(at), "b": rng.choice(words)})}),
            "grid": maybe([maybe([maybe(rng.randrange(99)) for _ in range(rng.randrange(3))]) for _ in range(rng.randrange(3))]),
            "long": "".join(rng.choice("abcdefgh \n") for _ in range(600)) if at == 7 else maybe("x" * at),
            "nothing": None,
            "empty": [],
        })
    schema = pa.schema([
        pa.field("id", pa.string(), nullable=False),
        ("name", pa.string()),
        ("big", pa.int64()),
        pa.field("small", pa.int32(), nullable=False),
        ("flag", pa.bool_()),
        ("ratio", pa.float64()),
        ("single", pa.float32()),
        ("tags", pa.list_(pa.string())),
        ("results", pa.list_(pa.struct([("attribute", pa.string()), ("is_correct", pa.bool_()), ("weight", pa.float64()), ("actual", pa.string())]))),
        ("meta", pa.struct([("seconds", pa.float64()), ("inner", pa.struct([("a", pa.int64()), ("b", pa.string())]))])),
        ("grid", pa.list_(pa.list_(pa.int32()))),
        ("long", pa.string()),
        ("nothing", pa.string()),
        ("empty", pa.list_(pa.int64())),
    ])
    return pa.Table.from_pylist(rows, schema), rows


def kinds(rng):
    """Types that all three writers have."""
    day = datetime.date(1970, 1, 1)
    rows = [
        {
            "date": day + datetime.timedelta(days=rng.randrange(-40000, 40000)),
            "moment": datetime.datetime(2024, 2, 29, 23, 59, 59, rng.choice([0, 1, 120000])) + datetime.timedelta(hours=at),
            "clock": datetime.time(rng.randrange(24), rng.randrange(60), 7, rng.choice([0, 10, 999999])),
            "price": decimal.Decimal(rng.randrange(-10**9, 10**9)).scaleb(-2),
            "byte": rng.randrange(256),
            "short": rng.randrange(-(2**15), 2**15),
            "natural": rng.choice([0, 2**64 - 1, rng.randrange(2**40)]),
            "bytes": rng.choice([b"", b"abc", b"\xff\x00a"]),
        }
        for at in range(N_ROWS)
    ]
    rows[5] = dict.fromkeys(rows[5])
    schema = pa.schema([
        ("date", pa.date32()),
        ("moment", pa.timestamp("us")),
        ("clock", pa.time64("us")),
        ("price", pa.decimal128(12, 2)),
        ("byte", pa.uint8()),
        ("short", pa.int16()),
        ("natural", pa.uint64()),
        ("bytes", pa.binary()),
    ])
    return pa.Table.from_pylist(rows, schema), rows


def types(rng):
    """Types that Arrow has, and not each of the others."""
    rows = [
        {
            "half": rng.choice([0.5, -2.0, 65504.0]),
            "milli": datetime.datetime(2024, 1, 1) + datetime.timedelta(milliseconds=rng.randrange(10**11)),
            "zoned": datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=at),
            "clock": datetime.time(rng.randrange(24), 1, 2, 3000),
            "wide": decimal.Decimal(rng.randrange(-10**40, 10**40)).scaleb(-10),
            "fixed": Fixed(rng.randrange(256) for _ in range(4)),
            "text": rng.choice(["a", "bb", ""]),
            "word": rng.choice(["yes", "no"]),
            "pairs": [("k%d" % key, key) for key in range(rng.randrange(3))],
            "two": [at, None],
            "nothing": None,
            "u32": rng.randrange(2**32),
            "i8": rng.randrange(-128, 128),
        }
        for at in range(N_ROWS)
    ]
    rows[3] = dict.fromkeys(rows[3])
    schema = pa.schema([
        ("half", pa.float16()),
        ("milli", pa.timestamp("ms")),
        ("zoned", pa.timestamp("ns", "UTC")),
        ("clock", pa.time32("ms")),
        ("wide", pa.decimal256(50, 10)),
        ("fixed", pa.binary(4)),
        ("text", pa.large_string()),
        ("word", pa.dictionary(pa.int32(), pa.string())),
        ("pairs", pa.map_(pa.string(), pa.int32())),
        ("two", pa.list_(pa.int32(), 2)),
        ("nothing", pa.null()),
        ("u32", pa.uint32()),
        ("i8", pa.int8()),
    ])
    return pa.Table.from_pylist(rows, schema), rows


def many(rng):
    """More rows, for several row groups and pages; few columns."""
    rows = [
        {"id": at, "name": rng.choice(["Core", "Error", None]), "tags": ["t%d" % tag for tag in range(at % 3)]}
        for at in range(300)
    ]
    schema = pa.schema([("id", pa.int64()), ("name", pa.string()), ("tags", pa.list_(pa.string()))])
    return pa.Table.from_pylist(rows, schema), rows


def shown(value):
    """A value as the page shows it in a row."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Fixed):
        return value.hex()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, decimal.Decimal):
        return f"{value:f}"
    if isinstance(value, datetime.datetime):
        return clock(value.strftime("%Y-%m-%dT%H:%M:%S"), value.microsecond) + "Z"
    if isinstance(value, datetime.time):
        return clock(value.strftime("%H:%M:%S"), value.microsecond)
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, tuple):
        return {"key": value[0], "value": value[1]}
    if isinstance(value, dict):
        return {key: shown(own) for key, own in value.items()}
    if isinstance(value, list):
        return [shown(own) for own in value]
    return value


def clock(text, micros):
    return text + (f".{micros:06}".rstrip("0") if micros else "")


def leaves(path):
    """Paths of the columns of a file, with their physical types."""
    schema = pq.ParquetFile(path).schema
    return {schema.column(at).path: schema.column(at).physical_type for at in range(len(schema))}


def encodings(paths, how):
    """The encoding of each column for one way of writing."""
    by_type = {
        "delta": {"INT32": "DELTA_BINARY_PACKED", "INT64": "DELTA_BINARY_PACKED", "BYTE_ARRAY": "DELTA_LENGTH_BYTE_ARRAY", "BOOLEAN": "RLE"},
        "split": {
            "INT32": "BYTE_STREAM_SPLIT",
            "INT64": "BYTE_STREAM_SPLIT",
            "FLOAT": "BYTE_STREAM_SPLIT",
            "DOUBLE": "BYTE_STREAM_SPLIT",
            "FIXED_LEN_BYTE_ARRAY": "BYTE_STREAM_SPLIT",
            "BYTE_ARRAY": "DELTA_BYTE_ARRAY",
        },
    }[how]
    return {path: by_type.get(kind, "PLAIN") for path, kind in paths.items()}


def by_pyarrow(name, table, how, codec, version, **more):
    path = FOLDER / f"{name}-pyarrow-{how}-{codec}-v{version}.parquet"
    options = {"compression": codec, "data_page_version": f"{version}.0", "store_schema": False, "write_statistics": False, **more}
    if how in ("delta", "split"):
        pq.write_table(table, path, use_dictionary=False, **options)
        options["column_encoding"] = encodings(leaves(path), how)
    pq.write_table(table, path, use_dictionary=how == "dictionary", **options)


def by_duckdb(name, table, codec, version, more=""):
    path = FOLDER / f"{name}-duckdb-{codec}-v{version}.parquet"
    own = {"none": "uncompressed", "lz4": "lz4_raw"}.get(codec, codec)
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("set preserve_insertion_order = true")
    connection.register("rows", table)
    connection.execute(f"copy rows to '{path}' (format parquet, compression {own}, parquet_version v{version}{more})")


def by_polars(name, table, codec, **more):
    own = {"none": "uncompressed"}.get(codec, codec)
    polars.from_arrow(table).write_parquet(FOLDER / f"{name}-polars-{codec}.parquet", compression=own, **more)


def main():
    for library in (pa, duckdb, polars):
        found = library.__version__
        if found != VERSIONS[library.__name__]:
            raise SystemExit(f"{library.__name__} is {found}, and the files are of {VERSIONS[library.__name__]}")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    tables = {}
    for at, make in enumerate((core, kinds, types, many)):
        tables[make.__name__], rows = make(random.Random(at))
        lines = ",\n".join(json.dumps(shown(row), ensure_ascii=False) for row in rows)
        (FOLDER / f"{make.__name__}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    (FOLDER / "none.json").write_text("[]\n", encoding="utf-8")

    for how in ("plain", "dictionary", "delta", "split"):
        for codec in CODECS:
            for version in (1, 2):
                by_pyarrow("core", tables["core"], how, codec, version)
    for how in ("plain", "dictionary", "delta", "split"):
        for version in (1, 2):
            by_pyarrow("kinds", tables["kinds"], how, "zstd", version)
            by_pyarrow("types", tables["types"], how, "snappy", version)
    # Row groups and pages of a few rows, without and with an index of the pages, with checksums.
    small = {"row_group_size": 130, "data_page_size": 1, "write_batch_size": 10, "store_schema": True}
    for version in (1, 2):
        by_pyarrow("many", tables["many"], "dictionary", "zstd", version, **small)
        by_pyarrow("many", tables["many"], "delta", "gzip", version, write_page_index=True, write_page_checksum=True, **small)
        by_pyarrow("none", tables["core"].slice(0, 0), "plain", "zstd", version)
    moments = tables["kinds"].select(["moment"])
    rows = [{"moment": shown(value)} for value in moments.column(0).to_pylist()]
    (FOLDER / "moments.json").write_text(json.dumps(rows) + "\n", encoding="utf-8")
    by_pyarrow("moments", moments, "plain", "none", 1, use_deprecated_int96_timestamps=True)
    for codec in CODECS:
        for version in (1, 2):
            by_duckdb("core", tables["core"], codec, version)
        by_polars("core", tables["core"], codec)
    for version in (1, 2):
        by_duckdb("kinds", tables["kinds"], "zstd", version)
        by_duckdb("many", tables["many"], "zstd", version, ", row_group_size 130")
    by_polars("kinds", tables["kinds"], "zstd")
    by_polars("many", tables["many"], "zstd", row_group_size=130, data_page_size=64)
    by_polars("none", tables["core"].slice(0, 0), "zstd")


if __name__ == "__main__":
    main()
