// A broken rule: in one step a link carries one packet. The second
// send over port 0 ends the run, and the machine says which rule was
// broken, in which step, at which node and port, and in which line.

function* program(me) {
  me.send(0, me.input);
  me.send(0, me.input);  // what must stand before this line?
  yield;
  me.receive(0);
}
