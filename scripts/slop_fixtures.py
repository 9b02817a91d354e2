"""Writes tests/fixtures/slop-code/real: run directories of the shapes met in real folders.

    python3 scripts/slop_fixtures.py

Nothing in them comes from anybody's results. Each folder has an expected.json that was worked out
by hand beside the numbers below; it is written from here so that both stay together.
"""

import json
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "tests/fixtures/slop-code/real"
HASH = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
KINDS = ["Core", "Functionality", "Regression", "Error"]


def write(path, text):
    path = ROOT / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def dump(path, value):
    write(path, json.dumps(value, indent=2) + "\n")


def lines(path, rows):
    write(path, "".join(json.dumps(row) + "\n" for row in rows))


def yaml(value, depth=0):
    """Enough YAML for these files; texts are written as JSON, which YAML reads."""
    pad = "  " * depth
    out = ""
    for key, one in value.items():
        if isinstance(one, dict) and one:
            out += f"{pad}{key}:\n{yaml(one, depth + 1)}"
        else:
            out += f"{pad}{key}: {json.dumps(one)}\n"
    return out


def config(run, model="ash-2", agent="claude_code", problems=("river_codec",), **more):
    write(
        f"{run}/config.yaml",
        yaml(
            {
                "agent": {"type": agent, "version": "2.1.0"},
                "model": {"name": model, "provider": "acme"},
                "pass_policy": "any",
                "problems": list(problems),
                "prompt_path": "configs/prompts/just-solve.jinja",
                "thinking": "none",
                **more,
            }
        ),
    )
    write(f"{run}/environment.yaml", yaml({"name": "local", "type": "docker", "image": "acme/box"}))
    write(f"{run}/run_agent.log", "09:00:00 INFO run started\n")


def problem(run, name, planned):
    checkpoints = {
        one: {
            "include_prior_tests": True,
            "name": one,
            "order": at + 1,
            "state": "Core Tests",
            "timeout": 20.0,
            "version": 1,
        }
        for at, one in enumerate(planned)
    }
    write(
        f"{run}/{name}/problem.yaml",
        yaml({"checkpoints": checkpoints, "entry_file": "main", "name": name, "version": 1}),
    )
    write(f"{run}/{name}/infer.log", "09:00:00 INFO problem started\n")


def run_info(run, name, states, cost, steps, *, passed, state="completed", error=None, **more):
    kind, message, traceback = error or (None, None, None)
    write(
        f"{run}/{name}/run_info.yaml",
        yaml(
            {
                "agent_type": "claude_code",
                "agent_version": "2.1.0",
                "image": "acme/box",
                "model_name": "ash-2",
                "pass_policy": "any",
                **more,
                "skip_evaluation": False,
                "summary": {
                    "checkpoints": states,
                    "duration_seconds": 600.0,
                    "ended": "2026-09-01T09:10:00",
                    "error_message": message,
                    "error_traceback": traceback,
                    "error_type": kind,
                    "passed_policy": passed,
                    "started": "2026-09-01T09:00:00",
                    "state": state,
                    "total_cost": cost,
                    "total_steps": steps,
                },
            }
        ),
    )


def inference(folder, cost, steps, tokens, elapsed, minute=0, error=None):
    names = ["input", "output", "cache_read", "cache_write", "reasoning"]
    usage = dict(zip(names, tokens))
    done = minute * 60 + elapsed
    dump(
        f"{folder}/inference_result.json",
        {
            "artifacts_dir": "agent",
            "checkpoint_path": folder,
            "completed": f"2026-09-01T09:{int(done // 60):02d}:{done % 60:09.6f}",
            "elapsed": elapsed,
            "error_message": error,
            "had_error": error is not None,
            "snapshot_dir": "snapshot",
            "started": f"2026-09-01T09:{minute:02d}:00",
            "usage": {
                "cost": cost,
                "current_tokens": usage,
                "net_tokens": usage,
                "steps": steps,
            },
        },
    )
    name = folder.rsplit("/", 1)[1]
    write(f"{folder}/prompt.txt", f"Implement {name} of the codec.\n")


def evaluation(folder, name, tests, *, secs, problem="river_codec", infra=False, code=None):
    """tests: {kind: {"passed": [...], "failed": [...], "skipped": [...]}}"""
    count = lambda kind, word: len(tests.get(kind, {}).get(word, []))
    total = {k: sum(count(k, w) for w in ("passed", "failed", "skipped")) for k in KINDS}
    passed = {k: count(k, "passed") for k in KINDS}
    every = [(k, w, i) for k in tests for w in ("passed", "failed", "skipped") for i in tests[k].get(w, [])]
    collected = sum(" " not in i for _, _, i in every)
    has_failed = any(w == "failed" for _, w, _ in every)
    code = code if code is not None else int(has_failed)
    checkpoint = name.split("/")[0]
    dump(
        f"{folder}/evaluation.json",
        {
            "schema_version": 1,
            "problem_name": problem,
            "problem_version": 1,
            "checkpoint_name": checkpoint,
            "checkpoint_version": 1,
            "duration": secs,
            "entrypoint": "uv run main.py",
            "tests": {
                f"{checkpoint}-{k}": {w: tests[k].get(w, []) for w in ("passed", "failed", "skipped")}
                for k in tests
            },
            "pass_counts": passed if every else {k: 0 for k in KINDS},
            "total_counts": total,
            "pytest_exit_code": code,
            "pytest_collected": collected,
            "test_collection_hash": HASH,
            "infrastructure_failure": infra,
        },
    )
    if not every:
        write(f"{folder}/evaluation/stderr.txt", "bash: uvx: command not found\n")
        return
    node = f".evaluation_tests/test_{checkpoint}.py"

    def report(word, test):
        phase = {"duration": 0.001, "outcome": "passed"}
        made = {"nodeid": f"{node}::{test}", "lineno": 1, "outcome": word, "keywords": []}
        if word == "skipped":
            text = f"('{node}', 4, 'Skipped: not here')"
            return {**made, "setup": {"duration": 0.001, "outcome": "skipped", "longrepr": text}}
        call = {"duration": 0.25, "outcome": word}
        if word == "failed":
            crash = {"path": "/workspace/test.py", "lineno": 9, "message": "AssertionError: assert 1 == 2"}
            call |= {"crash": crash, "longrepr": "E   AssertionError: assert 1 == 2"}
        return {**made, "setup": phase, "call": call, "teardown": phase}

    words = [w for _, w, _ in every]
    dump(
        f"{folder}/evaluation/report.json",
        {
            "created": 1788253200.5,
            "duration": secs,
            "exitcode": code,
            "root": "/workspace",
            "environment": {},
            "summary": {
                **{w: words.count(w) for w in ("passed", "failed", "skipped") if w in words},
                "total": len(words),
                "collected": len(words),
            },
            "collectors": [],
            "tests": [report(w, i) for _, w, i in every],
        },
    )
    write(f"{folder}/evaluation/stdout.txt", "=" * 20 + " test session starts " + "=" * 20 + "\n")
    write(f"{folder}/evaluation/stderr.txt", "")


def row(run, name, checkpoint, at, *, is_last, counts, cost, steps, tokens, elapsed, state="ran"):
    """counts: {kind: (passed, total)}; None where nothing was evaluated."""
    made = {
        "problem": name,
        "version": 1,
        "checkpoint": checkpoint,
        "path": f"outputs/{run.split('/')[-1]}/{name}",
        "idx": at,
        "state": state,
        "is_first": at == 1,
        "is_last": is_last,
    }
    if counts is not None:
        share = lambda kinds: (
            sum(counts.get(k, (0, 0))[0] for k in kinds),
            sum(counts.get(k, (0, 0))[1] for k in kinds),
        )
        rate = lambda p, t: p / t if t else 0.0
        all_passed, all_total = share(KINDS)
        made |= {
            "strict_pass_rate": rate(all_passed, all_total),
            "core_pass_rate": rate(*share(["Core"])),
            "isolated_pass_rate": rate(*share(["Core", "Functionality", "Error"])),
            "total_tests": all_total,
            "passed_tests": all_passed,
        }
        for kind in KINDS:
            made[f"{kind.lower()}_total"] = counts.get(kind, (0, 0))[1]
            made[f"{kind.lower()}_passed"] = counts.get(kind, (0, 0))[0]
    names = ["input", "output", "cache_read", "cache_write", "reasoning"]
    return made | {
        "duration": elapsed,
        "cost": cost,
        "steps": steps,
        **dict(zip(names, tokens)),
        "expected_checkpoints": 3,
        "lines_added": 10,
        "lines_removed": 2,
        "mean_func_loc": 0,
    }


def core(passed, failed=0, prefix="test_core"):
    return {
        "passed": [f"{prefix}_{n}" for n in range(passed)],
        "failed": [f"{prefix}_bad_{n}" for n in range(failed)],
    }


def assistant(ident, parts, usage=None, parent=None):
    return {
        "type": "assistant",
        "message": {
            "id": ident,
            "role": "assistant",
            "model": "ash-2",
            "content": parts,
            "usage": usage or {"input_tokens": 0, "output_tokens": 0},
        },
        "parent_tool_use_id": parent,
        "session_id": "s-1",
    }


def user(parts, parent=None):
    return {
        "type": "user",
        "message": {"role": "user", "content": parts},
        "parent_tool_use_id": parent,
        "session_id": "s-1",
    }


def text(words):
    return {"type": "text", "text": words}


def call(ident, name, **given):
    return {"type": "tool_use", "id": ident, "name": name, "input": given}


def result(ident, words, is_error=False):
    return {"type": "tool_result", "tool_use_id": ident, "content": words, "is_error": is_error}


INIT = {
    "type": "system",
    "subtype": "init",
    "model": "ash-2",
    "cwd": "/workspace",
    "tools": ["Bash", "Edit", "Task", "Write"],
    "session_id": "s-1",
}


def tokens(read, written, cached=0):
    return {"input_tokens": read, "output_tokens": written, "cache_read_input_tokens": cached}


def ended(turns, cost, words, usage, is_error=False):
    return {
        "type": "result",
        "subtype": "error_during_execution" if is_error else "success",
        "is_error": is_error,
        "duration_ms": 41000,
        "num_turns": turns,
        "result": words,
        "total_cost_usd": cost,
        "usage": usage,
        "modelUsage": {"ash-2": {"inputTokens": usage["input_tokens"], "costUSD": cost}},
        "session_id": "s-1",
    }


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


def trajectory(folder, when, cost, steps, used):
    names = ["input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens"]
    dump(
        f"{folder}/trajectory_stats_{when}.json",
        {
            **dict(zip(names, used)),
            "total_tokens": sum(used),
            "steps": steps,
            "turns": steps,
            "tool_calls": steps + 1,
            "tools_used": {"Bash": steps, "Edit": 1},
            "cost": cost,
            "skill_prompt_preview": "/simplify",
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
