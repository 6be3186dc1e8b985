// Bytes that are sent are lent: they must stay as they are until the
// receiver has taken them. Here every node adds to what it has just
// sent, while it may be on the link. Lend a copy, as "prefix sums"
// does.

function* program(me) {
  me.copy(me.output, me.input);
  for (let k = 0; k < me.dimension; ++k) {
    me.send(k, me.output);
    yield;
    me.add(me.output, me.receive(k));  // the neighbour still reads it
  }
}
