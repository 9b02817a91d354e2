"""The files of a slop-code run directory, one function for each; slop_fixtures.py makes folders of them."""

import json
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
