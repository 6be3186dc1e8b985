// Broadcast: the root's message reaches all nodes of a cube. In step
// k + 1 all nodes that have it send it over port k, so each step
// doubles their number: d steps for 2^d nodes, one port in use at a
// time.

function* program(me) {
  const label = me.id ^ me.root;  // relabelled so that the root is 0
  if (label === 0)
    me.copy(me.output, me.input);  // only the root has an input

  for (let k = 0; k < me.dimension; ++k) {
    const half = 1 << k;
    if (label < half)
      me.send(k, me.output);
    yield;
    if (label >= half && label < 2 * half)
      me.receive(k, me.output);
  }
}
