// All-reduce on a cube: every node gets the sum of all. In step k + 1
// neighbours over port k exchange what they have added up so far.
// What is sent must not change until it is received, so a node sends
// a copy; and because the neighbour reads that one while this node
// makes the next, two places take turns.

function* program(me) {
  const size = me.output.length;
  const lent = [me.allocate(size), me.allocate(size)];

  me.copy(me.output, me.input);
  for (let k = 0; k < me.dimension; ++k) {
    const sum = lent[k % 2];
    me.copy(sum, me.output);
    me.send(k, sum);
    yield;
    // With the operation and the type of the problem.
    me.add(me.output, me.receive(k));
  }
}
