"""Writes tests/fixtures/slop-code/real: run directories of the shapes met in real folders.

    python3 scripts/slop_fixtures.py

Nothing in them comes from anybody's results. Each folder has an expected.json that was worked out
by hand beside the numbers below; it is written from here so that both stay together.
"""

import shutil

from slop_run import (
    INIT,
    ROOT,
    assistant,
    call,
    config,
    core,
    dump,
    ended,
    evaluation,
    inference,
    lines,
    problem,
    result,
    row,
    run_info,
    text,
    tokens,
    trajectory,
    user,
    write,
)


def state_error():
    """Three planned: one passes, the agent crashes in the second, the third never starts."""
    run = "state_error/ash-2_20260901T0900"
    name = "river_codec"
    config(run)
    problem(run, name, ["checkpoint_1", "checkpoint_2", "checkpoint_3"])
    message = "agent process ended with exit code 137 after step 3"
    traceback = (
        "Traceback (most recent call last):\n"
        '  File "agent_runner/run.py", line 88, in run_checkpoint\n'
        "    raise AgentRunnerError(message)\n"
        f"AgentRunnerError: {message}\n"
    )
    run_info(
        run,
        name,
        {"checkpoint_1": "ran", "checkpoint_2": "error"},
        0.75,
        8,
        passed=False,
        state="error",
        error=("AgentRunnerError", message, traceback),
    )
    one, two = f"{run}/{name}/checkpoint_1", f"{run}/{name}/checkpoint_2"
    inference(one, 0.5, 5, [1000, 200, 4000, 300, 0], 41.0)
    evaluation(one, "checkpoint_1", {"Core": core(2), "Functionality": core(1, prefix="test_more")}, secs=7.5)
    dump(
        f"{one}/diff.json",
        {
            "from_checksum": "a0",
            "to_checksum": "b1",
            "from_timestamp": "2026-09-01T09:00:00",
            "to_timestamp": "2026-09-01T09:00:41",
            "file_diffs": {
                "main.py": {
                    "path": "main.py",
                    "change_type": "created",
                    "is_binary": False,
                    "diff_text": "--- /dev/null\n+++ b/main.py\n@@ -0,0 +1,2 @@\n+def encode(text):\n+    return text[::-1]\n",
                    "lines_added": 2,
                    "lines_removed": 0,
                    "old_size": None,
                    "new_size": 45,
                }
            },
        },
    )
    lines(
        f"{one}/agent/stdout.jsonl",
        [
            INIT,
            assistant("m1", [{"type": "thinking", "thinking": "Two files will do."}], tokens(600, 40)),
            assistant("m1", [text("I look for the tests first.")], tokens(600, 40)),
            assistant("m1", [call("t1", "Task", description="find the tests", prompt="List the tests.")], tokens(600, 40)),
            assistant("s1", [call("t2", "Bash", command="ls tests")], tokens(150, 30), "t1"),
            user([result("t2", "test_codec.py")], "t1"),
            user([result("t1", "There is one file: test_codec.py.")]),
            assistant("m2", [call("t3", "Write", file_path="main.py", content="def encode(text):\n    return text[::-1]\n")], tokens(250, 130, 4000)),
            user([result("t3", "File created")]),
            assistant("m3", [text("Done: the codec encodes.")], tokens(0, 0)),
            ended(5, 0.5, "Done: the codec encodes.", tokens(1000, 200, 4000)),
        ],
    )
    lines(
        f"{one}/agent/workspace/projects/-workspace/agent-a1.jsonl",
        [
            user([text("List the tests.")]),
            assistant("s1", [call("t2", "Bash", command="ls tests")], tokens(150, 30)),
            user([result("t2", "test_codec.py")]),
            assistant("s2", [text("There is one file: test_codec.py.")], tokens(0, 0)),
        ],
    )
    inference(two, 0.25, 3, [500, 100, 1000, 0, 0], 19.5, 2, message)
    write(f"{two}/diff.json", "")
    lines(
        f"{two}/agent/stdout.jsonl",
        [
            INIT,
            assistant("m4", [text("Now the decoder.")], tokens(400, 60)),
            assistant("m5", [call("t4", "Bash", command="python -m pytest -q")], tokens(100, 40)),
            user([result("t4", "Killed", True)]),
            ended(3, 0.25, message, tokens(500, 100, 1000), True),
        ],
    )
    dump(
        "state_error/expected.json",
        {
            "planned": 3,
            "checkpoints": {
                "checkpoint_1": {"outcome": "passed", "passed": 3, "total": 3, "cost": 0.5, "steps": 5, "agent_secs": 41.0, "test_secs": 7.5, "tokens": [1000, 200, 4000, 300, 0]},
                "checkpoint_2": {"outcome": "error", "passed": 0, "total": 0, "cost": 0.25, "steps": 3, "agent_secs": 19.5, "test_secs": None, "tokens": [500, 100, 1000, 0, 0]},
                "checkpoint_3": {"outcome": "skipped", "passed": 0, "total": 0, "cost": None, "steps": None, "agent_secs": None, "test_secs": None, "tokens": None},
            },
            "verdict": "error",
            "cost": 0.75,
            "steps": 8,
            "agent_secs": 60.5,
            "test_secs": 7.5,
            "declared_policy": "any",
            "declared_passed": False,
            "error_type": "AgentRunnerError",
            "error_message": message,
        },
    )


def usage():
    """Two problems, three checkpoints, rows beside them."""
    run = "usage/ash-2_20260902T0900"
    config(run, problems=("river_codec", "lake_index"))
    made = []
    plan = {"river_codec": ["checkpoint_1", "checkpoint_2"], "lake_index": ["checkpoint_1"]}
    figures = {
        ("river_codec", "checkpoint_1"): (0.4, 6, [900, 90, 3000, 200, 10], 30.0, 5.0, 2, 0),
        ("river_codec", "checkpoint_2"): (0.35, 4, [700, 70, 2500, 100, 0], 24.5, 6.5, 1, 1),
        ("lake_index", "checkpoint_1"): (0.125, 2, [300, 30, 500, 0, 0], 12.0, 4.0, 3, 0),
    }
    for name, planned in plan.items():
        problem(run, name, planned)
        own = [figures[name, one] for one in planned]
        run_info(
            run, name, {one: "ran" for one in planned},
            sum(one[0] for one in own), sum(one[1] for one in own), passed=True,
        )
        for at, one in enumerate(planned):
            cost, steps, used, elapsed, secs, passed, failed = figures[name, one]
            folder = f"{run}/{name}/{one}"
            inference(folder, cost, steps, used, elapsed, at)
            evaluation(folder, one, {"Core": core(passed, failed)}, secs=secs, problem=name)
            made.append(
                row(
                    run, name, one, at + 1, is_last=at + 1 == len(planned),
                    counts={"Core": (passed, passed + failed)},
                    cost=cost, steps=steps, tokens=used, elapsed=elapsed,
                )
            )
    lines(f"{run}/checkpoint_results.jsonl", made)
    shape = lambda one, outcome: {
        "outcome": outcome, "passed": one[5], "total": one[5] + one[6], "cost": one[0],
        "steps": one[1], "agent_secs": one[3], "test_secs": one[4], "tokens": one[2],
    }
    dump(
        "usage/expected.json",
        {
            "planned": 3,
            "checkpoints": {
                "river_codec/checkpoint_1": shape(figures["river_codec", "checkpoint_1"], "passed"),
                "river_codec/checkpoint_2": shape(figures["river_codec", "checkpoint_2"], "failed"),
                "lake_index/checkpoint_1": shape(figures["lake_index", "checkpoint_1"], "passed"),
            },
            "verdict": "failed",
            "cost": 0.875,
            "steps": 12,
            "agent_secs": 66.5,
            "test_secs": 15.5,
            "declared_policy": "any",
            "declared_passed": True,
        },
    )


def after_skill():
    """Each checkpoint is evaluated again after a skill has worked on it."""
    run = "after_skill/ash-2_20260903T0900"
    name = "river_codec"
    skill = {"eval_after": True, "prompt": "/simplify", "run_on": "all"}
    config(run, post_checkpoint_skill=skill)
    planned = ["checkpoint_1", "checkpoint_2"]
    problem(run, name, planned)
    figures = {
        "checkpoint_1": ((0.5, 5, [1000, 200, 4000, 300, 0]), (0.125, 2, [200, 50, 800, 0, 0]), (2, 1), (3, 0)),
        "checkpoint_2": ((0.25, 3, [500, 100, 1000, 0, 0]), (0.0625, 1, [100, 25, 400, 0, 0]), (3, 1), (2, 2)),
    }
    run_info(
        run, name, {one: "ran" for one in planned}, 0.9375, 11, passed=True, post_checkpoint_skill=skill,
    )
    for at, one in enumerate(planned):
        (cost, steps, used), (more, more_steps, more_used), before, after = figures[one]
        folder = f"{run}/{name}/{one}"
        inference(folder, cost, steps, used, 20.0 + at, at)
        trajectory(folder, "before", cost, steps, used)
        evaluation(folder, one, {"Core": core(*before)}, secs=5.0)
        evaluation(f"{folder}/after_skill", f"{one}/after", {"Core": core(*after)}, secs=6.0)
        trajectory(f"{folder}/after_skill", "after", more, more_steps, more_used)
    dump(
        "after_skill/expected.json",
        {
            "planned": 2,
            "checkpoints": {
                "checkpoint_1": {"outcome": "failed", "passed": 2, "total": 3, "cost": 0.5, "steps": 5, "agent_secs": 20.0, "test_secs": 5.0, "tokens": [1000, 200, 4000, 300, 0]},
                "checkpoint_1, after skill": {"outcome": "passed", "passed": 3, "total": 3, "cost": 0.125, "steps": 2, "agent_secs": None, "test_secs": 6.0, "tokens": [200, 50, 800, 0, 0]},
                "checkpoint_2": {"outcome": "failed", "passed": 3, "total": 4, "cost": 0.25, "steps": 3, "agent_secs": 21.0, "test_secs": 5.0, "tokens": [500, 100, 1000, 0, 0]},
                "checkpoint_2, after skill": {"outcome": "failed", "passed": 2, "total": 4, "cost": 0.0625, "steps": 1, "agent_secs": None, "test_secs": 6.0, "tokens": [100, 25, 400, 0, 0]},
            },
            "verdict": "failed",
            "cost": 0.9375,
            "steps": 11,
            "agent_secs": 41.0,
            "test_secs": 22.0,
            "declared_policy": "any",
            "declared_passed": True,
            "differences": {
                "checkpoint_1": {"cost": -0.375, "steps": -3, "passed": 1},
                "checkpoint_2": {"cost": -0.1875, "steps": -2, "passed": -1},
            },
        },
    )


def infra_failure():
    """pytest ended with 126 and collected nothing."""
    run = "infra_failure/ash-2_20260904T0900"
    name = "river_codec"
    config(run)
    problem(run, name, ["checkpoint_1", "checkpoint_2"])
    run_info(run, name, {"checkpoint_1": "ran", "checkpoint_2": "ran"}, 0.75, 8, passed=True)
    one, two = f"{run}/{name}/checkpoint_1", f"{run}/{name}/checkpoint_2"
    inference(one, 0.5, 5, [1000, 200, 4000, 300, 0], 41.0)
    evaluation(one, "checkpoint_1", {"Core": core(2)}, secs=7.5)
    inference(two, 0.25, 3, [500, 100, 1000, 0, 0], 19.5, 2)
    evaluation(two, "checkpoint_2", {}, secs=0.5, infra=True, code=126)
    dump(
        "infra_failure/expected.json",
        {
            "planned": 2,
            "checkpoints": {
                "checkpoint_1": {"outcome": "passed", "passed": 2, "total": 2, "cost": 0.5, "steps": 5, "agent_secs": 41.0, "test_secs": 7.5, "tokens": [1000, 200, 4000, 300, 0]},
                "checkpoint_2": {"outcome": "error", "passed": 0, "total": 0, "cost": 0.25, "steps": 3, "agent_secs": 19.5, "test_secs": 0.5, "tokens": [500, 100, 1000, 0, 0]},
            },
            "verdict": "error",
            "cost": 0.75,
            "steps": 8,
            "agent_secs": 60.5,
            "test_secs": 8.0,
            "declared_policy": "any",
            "declared_passed": True,
        },
    )


def planned_missing():
    """Five planned over two problems, two are there; the runs say completed."""
    run = "planned_missing/ash-2_20260905T0900"
    config(run, problems=("river_codec", "lake_index"))
    problem(run, "river_codec", ["checkpoint_1", "checkpoint_2", "checkpoint_10"])
    problem(run, "lake_index", ["checkpoint_1", "checkpoint_2"])
    run_info(run, "river_codec", {"checkpoint_1": "ran"}, 0.5, 5, passed=False)
    run_info(run, "lake_index", {"checkpoint_1": "ran"}, 0.25, 3, passed=False)
    one, two = f"{run}/river_codec/checkpoint_1", f"{run}/lake_index/checkpoint_1"
    inference(one, 0.5, 5, [1000, 200, 4000, 300, 0], 41.0)
    evaluation(one, "checkpoint_1", {"Core": core(2)}, secs=7.5)
    inference(two, 0.25, 3, [500, 100, 1000, 0, 0], 19.5, 2)
    evaluation(two, "checkpoint_1", {"Core": core(1, 1)}, secs=2.5, problem="lake_index")
    missing = {"outcome": "skipped", "passed": 0, "total": 0, "cost": None, "steps": None, "agent_secs": None, "test_secs": None, "tokens": None}
    dump(
        "planned_missing/expected.json",
        {
            "planned": 5,
            "checkpoints": {
                "river_codec/checkpoint_1": {"outcome": "passed", "passed": 2, "total": 2, "cost": 0.5, "steps": 5, "agent_secs": 41.0, "test_secs": 7.5, "tokens": [1000, 200, 4000, 300, 0]},
                "river_codec/checkpoint_2": missing,
                "river_codec/checkpoint_10": missing,
                "lake_index/checkpoint_1": {"outcome": "failed", "passed": 1, "total": 2, "cost": 0.25, "steps": 3, "agent_secs": 19.5, "test_secs": 2.5, "tokens": [500, 100, 1000, 0, 0]},
                "lake_index/checkpoint_2": missing,
            },
            "verdict": "failed",
            "reason": "1 of 2 checkpoints pass, 3 of 5 planned did not run",
            "cost": 0.75,
            "steps": 8,
            "agent_secs": 60.5,
            "test_secs": 10.0,
            "declared_policy": "any",
            "declared_passed": False,
        },
    )


def id_spaces():
    """Ids with a space: pytest_collected is smaller by just those."""
    run = "id_spaces/ash-2_20260906T0900"
    name = "river_codec"
    config(run)
    problem(run, name, ["checkpoint_1"])
    run_info(run, name, {"checkpoint_1": "ran"}, 0.5, 5, passed=True)
    one = f"{run}/{name}/checkpoint_1"
    inference(one, 0.5, 5, [1000, 200, 4000, 300, 0], 41.0)
    tests = {
        "Core": {"passed": ["test_plain", "test_case[two words]"], "failed": ["test_case[a b c]"]},
        "Error": {"passed": ["test_error[no]"], "skipped": ["test_error[not here]"]},
    }
    evaluation(one, "checkpoint_1", tests, secs=7.5)
    dump(
        "id_spaces/expected.json",
        {
            "planned": 1,
            "collected": 2,
            "checkpoints": {
                "checkpoint_1": {"outcome": "failed", "passed": 3, "total": 5, "cost": 0.5, "steps": 5, "agent_secs": 41.0, "test_secs": 7.5, "tokens": [1000, 200, 4000, 300, 0]},
            },
            "verdict": "failed",
            "cost": 0.5,
            "steps": 5,
            "agent_secs": 41.0,
            "test_secs": 7.5,
            "declared_policy": "any",
            "declared_passed": True,
        },
    )


def rows_alone():
    """Rows and summary as they are published without the folders: those of the v1.0 fixture."""
    source = ROOT.parent / "g2/v1.0/maple-3_20260430T1200"
    into = ROOT / "rows_alone"
    into.mkdir(parents=True)
    for name in ("checkpoint_results.jsonl", "result.json"):
        shutil.copy(source / name, into / name)
    dump(
        "rows_alone/expected.json",
        {
            "planned": 3,
            "checkpoints": {
                "checkpoint_1": {"passed": 4, "total": 9, "core": [3, 5], "cost": 0.11, "steps": 4, "agent_secs": 33.5},
                "checkpoint_2": {"passed": 8, "total": 17, "core": [3, 6], "cost": 0.22, "steps": 5, "agent_secs": 67.0},
                "checkpoint_3": {"passed": 2, "total": 2, "core": [2, 2], "cost": 0.33, "steps": 6, "agent_secs": 100.5},
            },
            "cost": 0.66,
            "steps": 15,
            "agent_secs": 201.0,
        },
    )


def lfs_pointers():
    """A clone without Git LFS: the large files are pointers."""
    run = "lfs_pointers/ash-2_20260907T0900"
    name = "river_codec"
    config(run)
    problem(run, name, ["checkpoint_1", "checkpoint_2"])
    pointer = lambda path, size: write(
        path,
        "version https://git-lfs.github.com/spec/v1\n"
        f"oid sha256:{'5a' * 32}\nsize {size}\n",
    )
    run_info(run, name, {"checkpoint_1": "ran", "checkpoint_2": "ran"}, 0.5, 5, passed=True)
    one, two = f"{run}/{name}/checkpoint_1", f"{run}/{name}/checkpoint_2"
    inference(one, 0.5, 5, [1000, 200, 4000, 300, 0], 41.0)
    evaluation(one, "checkpoint_1", {"Core": core(2)}, secs=7.5)
    pointer(f"{one}/evaluation/report.json", 40960)
    pointer(f"{two}/evaluation.json", 2048)
    pointer(f"{two}/evaluation/report.json", 81920)
    pointer(f"{two}/agent.tar.gz", 1048576)
    dump("lfs_pointers/expected.json", {"pointers": {"evaluation.json": 1, "report.json": 2, "agent.tar.gz": 1}})


def never_started():
    """Settings and a log, and nothing else."""
    run = "never_started/ash-2_20260908T0900"
    config(run)
    dump("never_started/expected.json", {"planned": 0, "checkpoints": {}})


if __name__ == "__main__":
    if ROOT.exists():
        shutil.rmtree(ROOT)
    for make in (
        state_error, usage, after_skill, infra_failure, planned_missing, id_spaces, rows_alone,
        lfs_pointers, never_started,
    ):
        make()
