"""docs/measurements/in-transit: its schedules are total exchanges of the fewest steps, and nobody keeps more than d - 1
packets of others between two steps."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import dcube
import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "measurements" / "in-transit"


@pytest.mark.parametrize("d", [2, 3, 4])
def test_the_fewest_packets_in_transit_are_kept(d: int) -> None:
    script = subprocess.run([sys.executable, SCRIPT, str(d)], check=True, capture_output=True, text=True)
    lines = script.stdout.splitlines()
    hops = [json.loads(line) for line in lines[1:]]
    packets = [(hop["pieces"][0]["origin"], hop["pieces"][0]["target"]) for hop in hops]
    schedule = [
        (hop["step"], hop["from"], hop["from"] ^ 1 << hop["port"], packet) for hop, packet in zip(hops, packets)
    ]
    verdict = dcube.judge(schedule, "all-to-all", dim=d, bytes=1)
    assert verdict.steps == 2 ** (d - 1) == verdict.steps_lower_bound

    place: dict[tuple[int, int], int] = {}
    most = 0
    for step in range(1, verdict.steps + 1):
        place.update({packet: to for number, _, to, packet in schedule if number == step})
        waiting = Counter(node for (_, target), node in place.items() if node != target)
        most = max(most, *waiting.values(), 0)
    assert most == d - 1 == dcube.run("all-to-all", dim=d, bytes=1)["in_transit_lower_bound"]


def test_what_is_not_a_dimension_is_refused() -> None:
    assert subprocess.run([sys.executable, SCRIPT, "7"], capture_output=True).returncode == 2
