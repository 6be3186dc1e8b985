// Prefix sums: node n is to know the sum of the numbers of nodes 0 to
// n. In step k + 1 neighbours over port k exchange the sums of their
// k-cubes; who has the higher number adds the other's to its prefix.
// dcube knows no such collective, so it verifies nothing: the nodes
// say what they have.

function* program(me) {
  const size = me.input.length;
  const d = me.dimension;
  const sums = me.allocate((d + 1) * size);
  const sum = (k) => sums.subarray(k * size, (k + 1) * size);  // k-cube's
  const theirs = me.allocate(size);

  me.copy(sum(0), me.input);
  me.copy(me.output, me.input);    // my prefix
  for (let k = 0; k < d; ++k) {
    me.phase(`over port ${k}`);
    // Every sum has a place of its own, because what is sent must not
    // change until it is received.
    yield* me.exchange(k, sum(k), theirs);
    me.copy(sum(k + 1), sum(k));
    me.add(sum(k + 1), theirs);    // numbers of the problem's type
    if (me.id & (1 << k))
      me.add(me.output, theirs);
  }

  me.say("my number is", me.inputAs(Int32Array),
         "and the sum up to me", me.outputAs(Int32Array));
}
