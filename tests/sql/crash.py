"""Kills the writer of a dataset at seeded moments, and has two write at once: what is left opens, and nothing is lost.

usage: python3 tests/sql/crash.py PROGRAM [TIMES]     PROGRAM: the built example `report`

After each kill every Parquet file that engines would read is whole, and the manifest can be read. Going on gives the same bytes in every file as
an undisturbed run. Moments are spread over the time that the writer takes undisturbed, so that kills hit reading, writing, moving and
indexing alike; which of them a kill hits hangs on the machine. Prints one line for each check that fails, and at the end how many did not.
"""

import json
import random
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
FIRST = [FIXTURES / "letta-evals" / name for name in ("0.5.0_single", "0.15.0_logical_multirun", "0.26.0_reward_multirun")]
SECOND = [FIXTURES / "rebel" / "edge", FIXTURES / "rebel" / "basic", FIXTURES / "slop-code" / "g1"]

failures = []
n_checks = 0


def check(is_so, what):
    global n_checks
    n_checks += 1
    if not is_so:
        failures.append(what)
        print(f"FAILED {what}")


def files(dataset):
    """The files of a dataset without its locks."""
    found = {str(path.relative_to(dataset)): path.read_bytes() for path in sorted(dataset.rglob("*")) if path.is_file() and path.name != ".lock"}
    return found


def opens(dataset, where):
    """Whether everything that an engine would read is whole."""
    for path in sorted(dataset.rglob("*.parquet")):
        if path.relative_to(dataset).parts[0].startswith("."):
            continue
        bytes = path.read_bytes()
        is_whole = len(bytes) > 12 and bytes[:4] == bytes[-4:] == b"PAR1" and struct.unpack("<I", bytes[-8:-4])[0] <= len(bytes) - 12
        check(is_whole, f"{where}: {path.relative_to(dataset)} is whole")
    manifest = dataset / "manifest.json"
    if manifest.exists():
        said = json.loads(manifest.read_text())
        check(said["faults"] == [], f"{where}: no faults: {said['faults']}")
        for table in said["tables"]:
            check((dataset / table["file"]).exists(), f"{where}: {table['file']} is there")


def main():
    program, times = str(Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 100
    chance = random.Random(16)

    def write(dataset, paths):
        return subprocess.Popen([program, "--dataset", dataset, *paths], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        undisturbed = place / "undisturbed"
        began = time.monotonic()
        _, said = write(undisturbed, FIRST + SECOND).communicate()
        took = time.monotonic() - began
        wanted = files(undisturbed)
        check(len(wanted) > 20, f"something is written: {said}")

        n_killed = 0
        for nth in range(times):
            # Some begin with nothing, most go on with what the last one left.
            dataset = place / f"killed-{nth // 10}"
            writer = write(dataset, FIRST + SECOND)
            moment = chance.uniform(0, 0.9 * took)
            time.sleep(moment)
            writer.kill()
            writer.communicate()
            n_killed += writer.returncode != 0
            if writer.returncode == 0:
                # The machine had more to do when the time was taken.
                took = min(took, moment)
            if dataset.exists():
                opens(dataset, f"kill {nth}")
            if nth % 10 == 9:
                done = write(dataset, FIRST + SECOND)
                _, said = done.communicate()
                check(done.returncode == 0 and files(dataset) == wanted, f"kill {nth}: going on gives the same bytes: {said}")
        check(n_killed > times // 2, f"{n_killed} of {times} writers were killed at their work")

        for nth in range(3):
            dataset = place / f"two-{nth}"
            writers = [write(dataset, paths) for paths in (FIRST, SECOND)]
            said = [writer.communicate()[1] for writer in writers]
            check(all(writer.returncode == 0 for writer in writers), f"two writers: {said}")
            check(files(dataset) == wanted, f"two writers {nth}: nothing is lost")
    print(f"{n_checks - len(failures)} passed, {len(failures)} failed: {n_killed} kills")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
