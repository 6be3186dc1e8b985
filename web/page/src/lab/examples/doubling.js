// All-gather on a cube, by doubling: before step k + 1 a node has the
// messages of its k-cube, and exchanges all of them with the
// neighbour over port k. As few steps as there can be, but packets
// get large.

function* program(me) {
  const size = me.input.length;
  const part = (first, count) =>
    me.output.subarray(first * size, (first + count) * size);

  me.copy(part(me.id, 1), me.input);
  for (let k = 0; k < me.dimension; ++k) {
    const count = 1 << k;
    const mine = me.id & ~(count - 1);  // my k-cube's first
    const theirs = mine ^ count;
    yield* me.exchange(k, part(mine, count), part(theirs, count));
  }
}
