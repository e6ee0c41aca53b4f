"""Plans tasks that wait for each other."""

from collections import deque


class Cycle(Exception):
    """Tasks that wait for each other in a circle."""


def order(tasks):
    """Return the tasks, each after all that it waits for.

    `tasks` maps a task to the tasks that it waits for.
    """
    waiting = {task: set(before) for task, before in tasks.items()}
    ready = deque(sorted(task for task, before in waiting.items() if not before))
    done = []
    while ready:
        task = ready.popleft()
        done.append(task)
        for other, before in waiting.items():
            if task in before:
                before.discard(task)
                if not before:
                    ready.append(other)
    if len(done) < len(waiting):
        left = sorted(set(waiting) - set(done))
        raise Cycle(f"these wait for each other: {', '.join(left)}")
    return done


def levels(tasks):
    """Return task → how many steps have to be done before it."""
    depth = {}
    for task in order(tasks):
        depth[task] = max((depth[before] + 1 for before in tasks[task]), default=0)
    return depth


def show(tasks, width=40):
    """Return the plan as text, a line for each task, indented by its level."""
    lines = []
    for task, depth in levels(tasks).items():
        text = "  " * depth + task
        lines.append(text if len(text) <= width else text[: width - 1] + "…")
    return "\n".join(lines)
