"""Answers to the exercises of teaching.ipynb: right ones, and wrong ones with what the check must say."""
# %% exercise-numbers
links = 80
steps_all_ports = 7
steps_one_port = 31

# %% exercise-numbers: counted each one twice
links = 160
steps_all_ports = 7
steps_one_port = 31

# %% exercise-numbers: 31 packets arrive at 5 ports
links = 80
steps_all_ports = 6
steps_one_port = 31


# %% exercise-broadcast
@dcube.algorithm("broadcast")
def my_broadcast(me, mine, out):
    if me.id == 0:
        me.copy(out, mine)
    for port in range(me.ports):
        if me.id < 2**port:
            me.send(port, out)
        yield
        if 2**port <= me.id < 2 ** (port + 1):
            me.receive(port, out)


# %% exercise-broadcast: 3 steps; 2 are enough
@dcube.algorithm("broadcast")
def my_broadcast(me, mine, out):
    place = [number ^ number >> 1 for number in range(me.nodes)].index(me.id)
    if me.id == 0:
        me.copy(out, mine)
    else:
        before = place - 1 ^ place - 1 >> 1
        yield me.arrival((before ^ me.id).bit_length() - 1)
        me.receive((before ^ me.id).bit_length() - 1, out)
    after = place + 1 ^ place + 1 >> 1
    if after < me.nodes:
        me.send((after ^ me.id).bit_length() - 1, out)
        yield


# %% exercise-broadcast: never-received
@dcube.algorithm("broadcast")
def my_broadcast(me, mine, out):
    if me.id == 0:
        me.copy(out, mine)
        me.send(0, out)
    yield


# %% exercise-prefix
@dcube.program
def prefix_sum(me, value):
    own = total = value
    for port in range(me.ports):
        theirs = yield me.exchange(port, total)
        if me.id & 2**port:
            own += theirs
        total += theirs
    return own


# %% exercise-prefix: node 0 has
@dcube.program
def prefix_sum(me, value):
    own = total = value
    for port in range(me.ports):
        theirs = yield me.exchange(port, total)
        own += theirs
        total += theirs
    return own


# %% exercise-sort
@dcube.program
def bitonic_sort(me, value):
    for stage in range(1, me.ports + 1):
        for port in reversed(range(stage)):
            theirs = yield me.exchange(port, value)
            low, rising = not me.id & 2**port, not me.id & 2**stage
            value = min(value, theirs) if low == rising else max(value, theirs)
    return value


# %% exercise-sort: became
@dcube.program
def bitonic_sort(me, value):
    for stage in range(1, me.ports + 1):
        for port in reversed(range(stage)):
            theirs = yield me.exchange(port, value)
            value = min(value, theirs) if not me.id & 2**port else max(value, theirs)
    return value


# %% exercise-sort: yield
@dcube.program
def bitonic_sort(me, value):
    for stage in range(1, me.ports + 1):
        for port in reversed(range(stage)):
            theirs = me.exchange(port, value)
    yield
    return value
