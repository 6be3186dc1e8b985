// Every node says hello to all its neighbours, in one step.
// A packet sent in step 1 can be received from step 2 on: yield goes on to the next step.

function* program(me) {
  me.phase("hello");
  for (let port = 0; port < me.ports; ++port)
    me.send(port, me.input, me.id);  // the header, a number, travels with the bytes

  yield;

  const heard = [];
  for (let port = 0; port < me.ports; ++port) {
    const packet = me.receive(port);
    if (packet.header !== me.neighbour(port))
      throw new Error(`port ${port} leads to node ${me.neighbour(port)}, but node ${packet.header} wrote`);
    heard.push(packet.header);
  }
  me.say("my neighbours are", heard);
}
