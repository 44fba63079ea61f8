"""Processes that other processes have started, as tests look at them."""

import os


def state_and_parent(process):
    """Of a process that is there; one whose end nobody has asked for yet is not."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            state, parent = file.read().rsplit(")", 1)[1].split()[:2]
    except OSError:
        return None
    return None if state == "Z" else (state, int(parent))


def workers(parent):
    """The processes it has started."""
    numbers = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
    found = {number: state_and_parent(number) for number in numbers}
    return sorted(number for number, known in found.items() if known and known[1] == parent)
