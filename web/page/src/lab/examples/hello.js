// Every node says hello to all its neighbours, in one step. A packet
// sent in step 1 can be received from step 2 on: yield goes on to the
// next step.

function* program(me) {
  me.phase("hello");
  for (let port = 0; port < me.ports; ++port)
    me.send(port, me.input, me.id);  // with a number, the header

  yield;

  const heard = [];
  for (let port = 0; port < me.ports; ++port) {
    const packet = me.receive(port);
    if (packet.header !== me.neighbour(port))
      throw new Error(`node ${packet.header} wrote over port ${port}`);
    heard.push(packet.header);
  }
  me.say("my neighbours are", heard);
}
