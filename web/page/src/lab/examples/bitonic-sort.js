// Bitonic sort: every node has keys, and in the end node 0 has the
// smallest, node 1 the next, and so on. Partners exchange their keys
// over a port; one keeps the lower half, the other the upper half. A
// merge over i ports sorts 2^i nodes, upwards or downwards: 1 + 2 +
// ... + d steps in all.

function* program(me) {
  const count = me.input.length / 4;
  // An array of JavaScript's own: it cannot be sent.
  const keys = me.inputAs(Int32Array).slice().sort();
  const theirs = me.allocateAs(Int32Array, count);
  // What is sent must not change until it is received, so two places
  // take turns.
  const lent = [0, 1].map(() => me.allocateAs(Int32Array, count));

  for (let i = 1; i <= me.dimension; ++i) {
    me.phase(`merge ${1 << i} nodes`);
    const upwards = (me.id & (1 << i)) === 0;
    for (let k = i - 1; k >= 0; --k) {
      const mine = lent[me.step % 2];
      mine.set(keys);
      yield* me.exchange(k, mine, theirs);
      const both = Int32Array.from([...keys, ...theirs]).sort();
      const low = ((me.id & (1 << k)) === 0) === upwards;
      keys.set(low ? both.subarray(0, count) : both.subarray(count));
    }
  }

  me.outputAs(Int32Array).set(keys);
  me.say("keys", [...keys]);
}
