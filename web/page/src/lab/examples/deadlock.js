// A deadlock: every node waits for its neighbour before it sends.
// Nobody ever sends, and the machine says which nodes wait, at which
// port, since which step, and in which line. Send before you wait.

function* program(me) {
  yield me.arrival(0);
  me.receive(0, me.output);
  me.send(0, me.input);
}
