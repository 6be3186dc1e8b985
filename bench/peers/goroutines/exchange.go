package main

import (
	"runtime"
	"sync"
)

// A total exchange along dimensions: a block on its way from o to t crosses the 1 bits of x = o ^ t, one after the
// other, and there is one block for every node and x at any time.
type exchange struct {
	dim   uint
	nodes int
	bytes int
	nets  map[int][]chan []byte // by the capacity of the channels: a channel for every node and port
	held  [][][]byte            // by node and x
	spare [][]byte              // by node
}

func newExchange(dim uint, bytes int) *exchange {
	nodes := 1 << dim
	e := &exchange{dim: dim, nodes: nodes, bytes: bytes, nets: map[int][]chan []byte{}}
	for node := 0; node < nodes; node++ {
		memory := make([]byte, (nodes+1)*bytes)
		blocks := make([][]byte, nodes)
		for x := range blocks {
			blocks[x] = memory[x*bytes : (x+1)*bytes : (x+1)*bytes]
		}
		e.held = append(e.held, blocks)
		e.spare = append(e.spare, memory[nodes*bytes:])
	}
	return e
}

func (e *exchange) links(capacity int) []chan []byte {
	if e.nets[capacity] == nil {
		net := make([]chan []byte, e.nodes*int(e.dim))
		for link := range net {
			net[link] = make(chan []byte, capacity)
		}
		e.nets[capacity] = net
	}
	return e.nets[capacity]
}

// The channels over which the node sends to, and receives from, its neighbour across dimension k.
func (e *exchange) ends(net []chan []byte, node int, k uint) (out chan<- []byte, in <-chan []byte) {
	neighbour := node ^ 1<<k
	return net[node*int(e.dim)+int(k)], net[neighbour*int(e.dim)+int(k)]
}

// take copies what has arrived into memory of the node's own, and keeps the memory that came for the next block.
func (e *exchange) take(node, x int, arrived []byte) {
	copy(e.spare[node], arrived)
	e.held[node][x], e.spare[node] = e.spare[node], arrived
}

func inGoroutines(count int, live func(i int)) {
	var running sync.WaitGroup
	running.Add(count)
	for i := 0; i < count; i++ {
		go func(i int) {
			defer running.Done()
			live(i)
		}(i)
	}
	running.Wait()
}

func (e *exchange) runFreely() {
	net := e.links(e.nodes / 2)
	inGoroutines(e.nodes, func(node int) {
		for k := uint(0); k < e.dim; k++ {
			out, in := e.ends(net, node, k)
			bit := 1 << k
			for x := bit; x < e.nodes; x = (x + 1) | bit {
				out <- e.held[node][x]
			}
			for x := bit; x < e.nodes; x = (x + 1) | bit {
				e.take(node, x, <-in)
			}
		}
	})
}

func (e *exchange) runInSteps() {
	net := e.links(1)
	clock := newGate(e.nodes)
	inGoroutines(e.nodes, func(node int) {
		for k := uint(0); k < e.dim; k++ {
			out, in := e.ends(net, node, k)
			bit := 1 << k
			for x := bit; x < e.nodes; x = (x + 1) | bit {
				out <- e.held[node][x]
				clock.wait()
				e.take(node, x, <-in)
			}
		}
	})
}

// A worker for each core, which plays its share of the nodes; the channels are those of runInSteps.
func (e *exchange) runInWorkers() {
	net := e.links(1)
	workers := runtime.GOMAXPROCS(0)
	if workers > e.nodes {
		workers = e.nodes
	}
	clock := newBarrier(workers)
	inGoroutines(workers, func(i int) {
		first, end := e.nodes*i/workers, e.nodes*(i+1)/workers
		for k := uint(0); k < e.dim; k++ {
			bit := 1 << k
			for x := bit; x < e.nodes; x = (x + 1) | bit {
				for node := first; node < end; node++ {
					out, _ := e.ends(net, node, k)
					out <- e.held[node][x]
				}
				clock.wait()
				for node := first; node < end; node++ {
					_, in := e.ends(net, node, k)
					e.take(node, x, <-in)
				}
			}
		}
	})
}
