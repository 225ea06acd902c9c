"""Inspect AI's side of the comparison; run with its own Python: URL SAMPLES WIDTH FOLDER.

One task of one-call samples with Edgewise's messages and a scorer that compares the answer's sign. No display, no
network but the loopback server (its answers carry usage, else Inspect downloads a tokenizer). Its log is written as by
default. A run of two samples first, so that late imports are not counted. Prints JSON.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time


def processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main(url: str, samples: int, width: int, folder: str, question: str) -> None:
    os.environ |= {"OPENAI_API_KEY": "k" * 40, "OPENAI_BASE_URL": url, "INSPECT_LOG_DIR": folder, "HOME": folder}
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.log import EvalLog
    from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer
    from inspect_ai.solver import TaskState, generate, system_message

    def same_sign() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            sign = json.loads(state.output.completion)["predicted_sign"]
            return Score(value="C" if sign == target.text else "I", answer=sign)

        return score

    make_scorer = scorer(metrics=[accuracy()])(same_sign)

    def run(numbers: range) -> EvalLog:
        task = Task(
            dataset=[Sample(input=f"{question}{number}", target="+") for number in numbers],
            solver=[system_message("You estimate."), generate()],
            scorer=make_scorer(),
        )
        (log,) = eval(
            task,
            model="openai/scripted:cycle",
            model_args={"responses_api": False},
            max_connections=width,
            max_samples=width,
            display="none",
            log_dir=folder,
            temperature=0.0,
            max_tokens=500,
        )
        return log

    run(range(samples, samples + 2))  # what is loaded late is loaded here
    imports_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    cpu, wall = processor_s(), time.perf_counter()
    log = run(range(samples))
    result = {
        "cpu_s": processor_s() - cpu,
        "wall_s": time.perf_counter() - wall,
        "imports_mb": imports_mb,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "status": log.status,
        "scored": log.results.completed_samples if log.results else 0,
        "error": str(log.error or ""),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5])
