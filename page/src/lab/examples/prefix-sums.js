// Prefix sums: node n is to know the sum of the numbers of nodes 0 to n. In step k + 1 neighbours over port k
// exchange the sums of their k-cubes; who has the higher number adds the other's to its prefix.
// dcube knows no such collective, so it verifies nothing: the nodes say and check what they have.

function* program(me) {
  const d = me.dimension;
  const sums = me.allocateAs(Int32Array, d + 1);  // sums[k]: of my k-cube
  const theirs = me.allocateAs(Int32Array, 1);
  sums[0] = me.id + 1;                            // the numbers are 1, 2, 3, ...
  let prefix = sums[0];

  for (let k = 0; k < d; ++k) {
    me.phase(`over port ${k}`);
    // Every sum has a place of its own, because what is sent must not change until it is received.
    yield* me.exchange(k, sums.subarray(k, k + 1), theirs);
    sums[k + 1] = sums[k] + theirs[0];
    if (me.id & (1 << k))
      prefix += theirs[0];
  }

  me.say("the sum up to me is", prefix);
  const expected = (me.id + 1) * (me.id + 2) / 2;
  if (prefix !== expected)
    throw new Error(`the sum is ${prefix}, and should be ${expected}`);
}
