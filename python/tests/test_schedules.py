"""Schedules as lists: what the catalogue sends is read back, judged and run; what is wrong is named with its place."""

import json
import pickle
from fractions import Fraction

import dcube
import pytest

BROADCAST = [(1, 0, 1, None), (2, 0, 2, None), (2, 1, 3, None)]

NETWORKS = ["hypercube:3", "ring:5", "torus:3x3", "mesh:2x3", "ring:4*path:2", "circulant:7,1,2", "torus:3x3 without 4"]

COLLECTIVES = {
    "broadcast": {"packets": 3},
    "reduce": {"type": "int32", "bytes": 8},
    "scatter": {},
    "gather": {},
    "all-gather": {},
    "reduce-scatter": {"type": "int16", "bytes": 8},
    "all-reduce": {"type": "float32", "bytes": 8, "packets": 2},
    "all-to-all": {},
    "send": {"peer": 2, "packets": 2},
    "exchange": {"peer": 2},
}


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_catalogue_is_judged_and_replayed(collective, network):
    question = {"topology": network, **COLLECTIVES[collective]}
    try:
        report = dcube.run(collective, **question)
    except dcube.InvalidArgument:
        pytest.skip("no algorithm")
    schedule = dcube.schedule_of(collective, **question)
    assert schedule.collective == collective
    verdict = dcube.judge(list(schedule), collective, **question)
    assert verdict == dcube.judge(schedule)
    for key in ("steps", "transmissions", "steps_lower_bound", "transmissions_lower_bound", "optimal"):
        assert verdict[key] == getattr(report, key)
    replayed = dcube.replay(schedule, name="mine")
    assert replayed.verified
    assert replayed.algorithm == "mine"
    assert replayed.steps <= report.steps
    assert replayed.transmissions == report.transmissions
    assert replayed.result_digest == report.result_digest


def test_permutations_and_matrices():
    order = [3, 4, 0, 1, 2]
    schedule = dcube.schedule_of("permute", topology="ring:5", permutation=order)
    assert schedule.question["permutation"] == order
    assert dcube.judge([entry[:3] + (entry[3],) for entry in schedule], "permute", topology="ring:5",
                       permutation=order).steps == schedule[-1][0]
    matrix = dcube.schedule_of("matrix-transpose", dim=2, rows=8, columns=8)
    assert dcube.judge(matrix).transmissions == len(matrix)
    assert dcube.replay(matrix).verified


def test_one_port():
    schedule = dcube.schedule_of("all-gather", dim=3, ports="one")
    assert dcube.judge(schedule).optimal
    with pytest.raises(dcube.TraceError, match="which has one port, sends a second packet in step 1"):
        dcube.judge([(1, 0, 1), (1, 0, 2), (2, 1, 3)], "broadcast", dim=2, ports="one")


def test_network_of_edges():
    path = dcube.Topology.from_edges([(0, 1), (1, 2), (2, 3)], "mine")
    schedule = dcube.schedule_of("broadcast", topology=path)
    assert dcube.judge(schedule).steps == 3
    assert dcube.judge([(1, 0, 1), (2, 1, 2), (3, 2, 3)], "broadcast", topology=path).optimal


def test_blocks_may_be_written_in_many_ways():
    def steps(collective, *entries, **question):
        return dcube.judge(entries, collective, dim=1, **question).steps

    assert steps("broadcast", (1, 0, 1)) == steps("broadcast", [1, 0, 1, 0]) == 1
    assert steps("broadcast", (1, 0, 1, (0, None, 0, 64))) == 1
    assert steps("broadcast", (1, 0, 1, (None, None, 0, 2)), (2, 0, 1, [(0, None, 2, 2)]), bytes=2, packets=2) == 2
    assert steps("broadcast", {"step": 1, "from": 0, "to": 1, "pieces": [{"origin": 0}]}) == 1
    assert steps("broadcast", {"step": 1, "from": 0, "to": 1}) == 1  # they follow from what node 0 has
    assert steps("all-to-all", {"step": 1, "from": 0, "to": 1}, {"step": 1, "from": 1, "to": 0}) == 1
    assert steps("scatter", (1, 0, 1, 1)) == steps("scatter", (1, 0, 1, (0, 1))) == 1
    assert steps("all-gather", (1, 0, 1, 0), (1, 1, 0, [1])) == 1
    assert steps("gather", (1, 1, 0, 1)) == 1
    assert steps("all-to-all", (1, 0, 1, (0, 1)), (1, 1, 0, [(1, 0)])) == 1
    assert steps("reduce", (1, 1, 0)) == steps("reduce", (1, 1, 0, 0)) == 1
    assert steps("reduce", (1, 1, 0, {"target": 0, "sum_of": [1]})) == 1
    assert steps("reduce-scatter", (1, 0, 1, 1), (1, 1, 0, {"target": 0, "sum_of": [[1, 1]]})) == 1
    assert steps("all-reduce", (1, 0, 1), (1, 1, 0, None)) == 1
    assert steps("all-reduce", (1, 0, 1, 0), (1, 1, 0, 0), (2, 0, 1, 1), (2, 1, 0, 1), packets=2) == 2
    assert steps("send", (1, 0, 1), peer=1) == steps("send", (1, 0, 1, 0), peer=1) == 1
    assert steps("exchange", (1, 0, 1, 0), (1, 1, 0, 1), peer=1) == 1
    assert steps("permute", (1, 0, 1, 0), (1, 1, 0, 1), permutation=[1, 0]) == 1


def test_numbers_of_numpy():
    numpy = pytest.importorskip("numpy")
    rows = numpy.array([[1, 0, 1], [2, 0, 2], [2, 1, 3]])
    assert dcube.judge([tuple(row) for row in rows], "broadcast", dim=2).optimal
    assert dcube.judge((row.tolist() for row in rows), "broadcast", dim=2).optimal


WRONG = [
    ((2, 0), "is no entry of a schedule"),
    ((2, 0, 2, None, 7), "is no entry of a schedule"),
    ("2, 0, 2", "is no entry of a schedule"),
    (None, "is no entry of a schedule"),
    ((1.5, 0, 2), "the step is 1.5: a whole number from 0 to 4294967295 is allowed"),
    ((2, -1, 2), "the sender is -1: a whole number"),
    ((2, 0, "2"), "the receiver is '2': a whole number"),
    ((2**32, 0, 2), "the step is 4294967296: a whole number"),
    ((0, 0, 2), "packets are not sorted|step 0"),
    ((2, 9, 2), '"from" is 9: a node from 0 to 3 is allowed'),
    ((2, 0, 9), '"to" is 9|no link to node 9'),
    ((2, 0, 3), "node 0 has no link to node 3"),
    ((1, 0, 1), "a second packet from node 0 over port 0 in step 1"),
    ((1, 1, 3), "node 1 .* byte 0"),  # it has not arrived yet
    ((2, 1, 0), "node 0|twice|already"),
    ((2, 0, 2, "all"), "'all' names no block"),
    ((2, 0, 2, 1), "a piece has origin 1: the root, 0, is allowed"),
    ((2, 0, 2, (0, 2)), "a piece has target 2: none is allowed"),
    ((2, 0, 2, (0, None, 60)), "names no block"),
    ((2, 0, 2, (0, None, 60, 5)), "does not lie within a message, which has 64 bytes"),
    ((2, 0, 2, (0, None, 0, 0)), "a piece has length 0"),
    ((2, 0, 2, (0, None, -1, 2)), "the offset of a block is -1"),
    ((2, 0, 2, []), "carries nothing"),
    ((2, 0, 2, [None, None]), "128 bytes at once"),
    ((2, 0, 2, {"orgin": 0}), 'a block has no "orgin"'),
    ((2, 0, 2, {"sum_of": [0]}), 'only those of sums'),
    ((2, 0, 2, {"sum_of": 0}), '"sum_of" is 0: a list of nodes'),
    ((2, 0, 2, {"sum_of": [[1, 2, 3]]}), "a range such as"),
    ({"step": 2, "from": 0, "pieces": [None]}, '"to" is missing'),
    ({"step": 2, "from": 0, "to": 2, "pieces": 7}, '"pieces" is 7: a list is allowed'),
    ({"step": 2, "from": 0, "to": 2, "port": 7, "pieces": [None]}, "node 0 has no port 7"),
    ({"step": 2, "from": 0, "to": 2, "bytes": 7, "pieces": [None]}, '"bytes" is 7, but the pieces have more'),
]


@pytest.mark.parametrize(("wrong", "why"), WRONG, ids=[str(entry) for entry, _ in WRONG])
def test_wrong_entries_are_named(wrong, why):
    schedule = [BROADCAST[0], wrong, *BROADCAST[1:]]
    with pytest.raises(dcube.TraceError, match=why) as caught:
        dcube.judge(schedule, "broadcast", dim=2)
    assert caught.value.index == 1
    assert caught.value.entry is wrong
    assert str(caught.value).startswith("transmission 1: ")
    with pytest.raises(dcube.TraceError, match=why) as caught:
        dcube.replay(iter(schedule), "broadcast", dim=2)
    assert caught.value.index == 1
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.index, copy.entry, str(copy)) == (1, wrong, str(caught.value))


def test_a_piece_without_an_end():
    with pytest.raises(dcube.TraceError, match="a piece has no origin: a node from 0 to 1 is allowed"):
        dcube.judge([(1, 0, 1, (None, 1))], "all-to-all", dim=1)


def test_the_last_step():
    last = 2**31 - 2
    assert dcube.judge([(last, 0, 1)], "broadcast", dim=1).steps == last
    with pytest.raises(dcube.TraceError, match=f"a run has at most {last} steps"):
        dcube.judge([(last + 1, 0, 1)], "broadcast", dim=1)


def test_what_falls_short_has_no_index():
    with pytest.raises(dcube.VerificationError, match="node 3 never received byte 0") as caught:
        dcube.judge(BROADCAST[:2], "broadcast", dim=2)
    assert caught.value.index is None
    assert caught.value.entry is None
    with pytest.raises(dcube.TraceError):
        dcube.judge([], "broadcast", dim=2)
    assert dcube.judge([], "broadcast", dim=0).steps == 0


def test_numbers_that_name_no_message():
    with pytest.raises(dcube.TraceError, match=r"1 does not name a block of all-to-all: \(origin, target\) does"):
        dcube.judge([(1, 0, 1, 1)], "all-to-all", dim=1)
    with pytest.raises(dcube.TraceError, match="the number of a block is 2: a whole number from 0 to 1 is allowed"):
        dcube.judge([(1, 0, 1, 2)], "all-reduce", dim=1, packets=2)


def test_a_contribution_counts_once():
    twice = [(1, 1, 0), (1, 2, 0), (2, 3, 1), (3, 1, 0)]
    with pytest.raises(dcube.TraceError) as caught:
        dcube.judge(twice, "reduce", dim=2)
    assert caught.value.index == 3


def test_packets_that_are_lost():
    question = {"topology": "ring:4", "failing": ["0-1@1"]}
    right = [
        {"step": 1, "from": 0, "to": 1, "pieces": [{}], "lost": True},
        (1, 0, 3),
        (2, 3, 2),
        (3, 2, 1),
    ]
    verdict = dcube.judge(right, "broadcast", **question)
    assert (verdict.lost, verdict.steps) == (1, 3)
    with pytest.raises(dcube.TraceError, match="is not marked as lost") as caught:
        dcube.judge([(1, 0, 1), *right[1:]], "broadcast", **question)
    assert caught.value.index == 0


def test_redundant_schedules():
    ring = [(1, 0, 1), (1, 0, 3), (2, 1, 2), (2, 3, 2)]
    with pytest.raises(dcube.TraceError):
        dcube.judge(ring, "broadcast", topology="ring:4")
    assert dcube.judge(ring, "broadcast", topology="ring:4", redundant=True).optimal


def test_times_are_judged():
    question = {"dim": 2, "bytes": 10, "tau": Fraction(1, 2), "beta": 3}
    schedule = dcube.schedule_of("broadcast", **question)
    report = dcube.run("broadcast", **question)
    verdict = dcube.judge(schedule)
    assert verdict.virtual_time_ns == report.virtual_time_ns
    assert verdict.time_lower_bound_ns == report.time_lower_bound_ns
    assert verdict.steps_lower_bound is None
    later = [dict(entry) for entry in schedule]
    later[1]["start_ns"] = later[1]["end_ns"]
    with pytest.raises(dcube.TraceError, match="a packet of") as caught:
        dcube.judge(later, "broadcast", **question)
    assert caught.value.index == 1
    later[1]["start_ns"] = "1/3"
    with pytest.raises(dcube.TraceError, match="a whole number of ticks of 1/2 ns is allowed"):
        dcube.judge(later, "broadcast", **question)
    untimed = dcube.judge(BROADCAST, "broadcast", **question)
    assert untimed.virtual_time_ns is None
    assert not untimed.optimal
    assert dcube.replay(BROADCAST, "broadcast", **question).virtual_time_ns == 16


@pytest.mark.parametrize("collective", ["all-to-all", "all-reduce", "scatter"])
def test_traces_are_kept(collective, tmp_path):
    path = tmp_path / "trace.jsonl"
    schedule = dcube.schedule_of(collective, topology="torus:3x3", bytes=8)
    dcube.save_trace(schedule, path)
    again = dcube.load_trace(path)
    assert again == schedule
    assert again.collective == collective
    assert again.question["topology"] == "torus:3x3"
    assert dcube.judge(again) == dcube.judge(schedule)
    text = path.read_text()
    dcube.save_trace(again, path)
    assert path.read_text() == text
    assert set(json.loads(text.splitlines()[1])) == {
        "step", "from", "to", "port", "bytes", "start_ns", "end_ns", "pieces"
    }


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("collective", ["broadcast", "gather", "all-gather", "all-to-all", "scatter"])
def test_lines_without_pieces_mean_in_a_list_what_they_mean_in_a_file(collective, network, tmp_path):
    def verdict(judged):
        try:
            return judged()
        except dcube.TraceError as error:
            return str(error).split(": ", 1)[1]

    path = tmp_path / "trace.jsonl"
    dcube.save_trace(dcube.schedule_of(collective, topology=network, bytes=8), path)
    header, *rows = path.read_text().splitlines()
    lines = [{key: json.loads(row)[key] for key in ("step", "from", "to")} for row in rows]
    path.write_text("\n".join([header, *map(json.dumps, lines)]) + "\n")
    in_list = verdict(lambda: dcube.judge(lines, collective, topology=network, bytes=8))
    assert in_list == verdict(lambda: dcube.judge(dcube.load_trace(path)))
    assert isinstance(in_list, dcube.Verdict) or '"pieces"' in in_list
    if collective == "broadcast":
        assert in_list.steps == lines[-1]["step"]


def test_a_trace_has_the_arguments_of_its_question():
    asked = {"topology": "ring:5", "tau": 1, "beta": "5/2", "clock": "lockstep", "ports": "all", "bytes": 8,
             "packets": 2, "root": 1, "failing": ["0-4@9"]}
    schedule = dcube.schedule_of("scatter", **asked)
    assert schedule.question == asked
    assert set(schedule.question) <= set(dcube.questions.Question.__annotations__)


def test_traces_of_other_questions(tmp_path):
    path = tmp_path / "trace.jsonl"
    dcube.save_trace(BROADCAST, path, "broadcast", dim=2, bytes=8)
    schedule = dcube.load_trace(path)
    assert schedule == BROADCAST
    assert schedule.question == {"topology": "hypercube:2", "ports": "all", "bytes": 8, "packets": 1, "root": 0}
    assert dcube.judge(schedule, dim=2, bytes=8).bytes == 24
    with pytest.raises(dcube.TraceError):
        dcube.judge(schedule, dim=3)
    with pytest.raises(dcube.InvalidArgument, match="collective is missing"):
        dcube.judge(list(schedule), dim=2)


def test_a_trace_may_name_its_collective_as_mpi_does(tmp_path):
    path = tmp_path / "trace.jsonl"
    dcube.save_trace(BROADCAST, path, "MPI_Bcast", dim=2, bytes=8)
    path.write_text(path.read_text().replace('"broadcast"', '"MPI_Bcast"'))
    schedule = dcube.load_trace(path)
    assert schedule == BROADCAST
    assert schedule.collective == "MPI_Bcast"
    assert dcube.judge(schedule).bytes == 24


def test_wrong_traces(tmp_path):
    path = tmp_path / "trace.jsonl"
    with pytest.raises(dcube.TraceError):
        dcube.save_trace(BROADCAST[:2], path, "broadcast", dim=2)
    assert not path.exists()
    with pytest.raises(FileNotFoundError):
        dcube.load_trace(path)
    path.write_text('{"step":1,"from":0,"to":1,"pieces":[{}]}\n{"step":')
    with pytest.raises(dcube.TraceError, match="line 2: not valid JSON") as caught:
        dcube.load_trace(path)
    assert caught.value.line == 2
    path.write_text("[]\n")
    with pytest.raises(dcube.TraceError, match="line 1: an object is expected"):
        dcube.load_trace(path)
    path.write_text('{"step":1,"from":0,"port":0,"pieces":[{}]}\n')
    with pytest.raises(dcube.TraceError, match='"to" is missing'):
        dcube.judge(dcube.load_trace(path), "broadcast", dim=1)


def test_verdicts():
    verdict = dcube.judge(BROADCAST, "broadcast", dim=2)
    assert dict(verdict) == {
        "steps": 2,
        "transmissions": 3,
        "bytes": 192,
        "lost": 0,
        "virtual_time_ns": None,
        "steps_lower_bound": 2,
        "transmissions_lower_bound": 3,
        "time_lower_bound_ns": None,
        "optimal": True,
    }
    assert repr(verdict) == "<Verdict: accepted, 2 steps, lower bound 2, optimal, 3 transmissions>"
    assert "<th>steps</th><td>2</td>" in verdict._repr_html_()
    assert pickle.loads(pickle.dumps(verdict)) == verdict
    with pytest.raises(AttributeError, match="a verdict has no 'step': it has steps"):
        verdict.step
    with pytest.raises(AttributeError, match="cannot be changed"):
        verdict.steps = 1
    with pytest.raises(TypeError):
        hash(verdict)


def test_numbers_that_change_the_list():
    class Evil:
        def __init__(self, *victims):
            self.victims = victims

        def __index__(self):
            for victim in self.victims:
                victim.clear()
            return 1

    entry = [1, 0, 1, None]
    blocks = [None]
    piece = {"origin": 0}
    line = {"step": 1, "from": 0, "pieces": blocks}
    schedule = [entry, (1, 0, 1, blocks), (1, 0, 1, piece), line]
    entry[0] = blocks[0] = piece["length"] = line["to"] = Evil(entry, blocks, piece, line, schedule)
    for one in [entry, (1, 0, 1, blocks), (1, 0, 1, piece), line]:
        with pytest.raises(Exception):
            dcube.judge([one, (1, 0, 1)], "broadcast", dim=1)
    with pytest.raises(dcube.TraceError):
        dcube.judge(schedule, "broadcast", dim=1)


def test_questions_are_checked():
    with pytest.raises(TypeError, match="dimension"):
        dcube.judge(BROADCAST, "broadcast", dimension=2)
    with pytest.raises(dcube.InvalidArgument):
        dcube.judge(BROADCAST, "broadcast", dim=2, root=4)
    with pytest.raises(dcube.InvalidArgument):
        dcube.judge(BROADCAST, "broadcasts", dim=2)
    with pytest.raises(TypeError):
        dcube.judge(7, "broadcast", dim=2)


@pytest.mark.parametrize(("collective", "words"), [("all-gather", "the number of its origin does"),
                                                   ("scatter", "the number of its target does"),
                                                   ("all-to-all", r"\(origin, target\) does")])
def test_none_is_no_block_where_there_are_several(collective, words):
    with pytest.raises(dcube.TraceError, match=f"None does not name a block of {collective}: {words}"):
        dcube.judge([(1, 0, 1)], collective, dim=1)


def test_arguments_in_the_wrong_order():
    with pytest.raises(TypeError, match="a schedule is a list of .*, not str"):
        dcube.judge("broadcast", [(1, 0, 1)], dim=1)
    with pytest.raises(TypeError, match="collective is a str, not int"):
        dcube.judge([(1, 0, 1)], 1, dim=1)
    with pytest.raises(TypeError, match="'redundent' is not an argument: did you mean redundant"):
        dcube.judge([(1, 0, 1)], "broadcast", dim=1, redundent=True)
    with pytest.raises(TypeError, match="replay"):
        dcube.view([(1, 0, 1)], dim=1)
