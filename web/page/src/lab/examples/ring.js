// All-gather on a ring: every node gets every node's message. In each
// step a node passes on to the right what came from the left in the
// step before: N - 1 steps, and only half of the links are used. To
// use both directions, and so halve the steps, is a good exercise.

function* program(me) {
  const size = me.input.length;
  const place = (node) =>  // of that node's message
    me.output.subarray(node * size, (node + 1) * size);
  const right = me.neighbour(0) === (me.id + 1) % me.nodes ? 0 : 1;
  const left = 1 - right;

  me.copy(place(me.id), me.input);
  for (let k = 0; k < me.nodes - 1; ++k) {
    // Whose message I pass on.
    const mine = (me.id - k + me.nodes) % me.nodes;
    me.send(right, place(mine));
    yield;
    me.receive(left, place((mine - 1 + me.nodes) % me.nodes));
  }
}
