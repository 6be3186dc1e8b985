package main

import (
	"runtime"
	"sync/atomic"
)

// gate lets its parties pass when all of them have come, again and again. Those that wait sleep: the last one wakes them
// all at once, by closing the channel of this round. With a goroutine for each node it was the fastest of those tried:
// beside trees of channels, a counter that all watch, and a mutex with a condition.
type gate struct {
	parties int32
	waiting atomic.Int32
	_       [64]byte
	passage atomic.Pointer[chan struct{}]
}

func newGate(parties int) *gate {
	g := &gate{parties: int32(parties)}
	g.next()
	return g
}

func (g *gate) next() {
	passage := make(chan struct{})
	g.passage.Store(&passage)
}

func (g *gate) wait() {
	passage := *g.passage.Load()
	if g.waiting.Add(1) < g.parties {
		<-passage
		return
	}
	g.waiting.Store(0)
	g.next()
	close(passage)
}

// barrier is for as many parties as there are cores: those that wait watch the number of the round.
type barrier struct {
	parties int32
	waiting atomic.Int32
	_       [64]byte
	round   atomic.Uint32
}

func newBarrier(parties int) *barrier {
	return &barrier{parties: int32(parties)}
}

func (b *barrier) wait() {
	round := b.round.Load()
	if b.waiting.Add(1) == b.parties {
		b.waiting.Store(0)
		b.round.Add(1)
		return
	}
	for b.round.Load() == round {
		runtime.Gosched()
	}
}
