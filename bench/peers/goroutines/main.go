// peer-goroutines: nodes are goroutines, and for every directed link there is a buffered channel.
//
//	no-clock   a channel holds all the blocks that cross a link: no node waits before it has sent all it has
//	clock      one block per link and step; in each step all nodes meet at a barrier, as dcube's do
//	workers    the same, but by a goroutine for each core, which plays its share of the nodes, as dcube's threads do
//
// Fair: a hop copies the block into the receiver's memory once, as in dcube; what travels through the channel is a
// slice, and with it the memory, so that no node waits until what was sent has been read. The goroutines are started
// within what is measured, as the coroutines of a run are in dcube's. Go uses all cores, unless GOMAXPROCS says
// otherwise.
// Unfair to `clock` and `workers`: they cross one dimension at a time, N/2 steps each, where dcube's schedule uses all
// links in every step, and takes N/2 steps in all. Nobody looks whether a link carries two blocks at once.
//
// The arguments and the line of JSON are those of bench/peers/peer.hpp.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

type result struct {
	Peer     string    `json:"peer"`
	Variant  string    `json:"variant"`
	Dim      uint      `json:"dim"`
	Bytes    int       `json:"bytes"`
	Seconds  []float64 `json:"seconds"`
	Verified bool      `json:"verified"`
	Checksum string    `json:"checksum"`
}

var variants = []struct {
	name string
	run  func(*exchange)
}{
	{"no-clock", (*exchange).runFreely},
	{"clock", (*exchange).runInSteps},
	{"workers", (*exchange).runInWorkers},
}

func refuse(format string, values ...any) {
	fmt.Fprintf(os.Stderr, "peer-goroutines: "+format+"\n", values...)
	os.Exit(2)
}

func main() {
	flags := flag.NewFlagSet("peer-goroutines", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	dim := flags.Uint("dim", 0, "dimension of the hypercube")
	bytes := flags.Int("bytes", 0, "bytes a block")
	repeat := flags.Int("repeat", 5, "times")
	only := flags.String("variant", "", "only this one")
	if err := flags.Parse(os.Args[1:]); err != nil {
		refuse("%s; allowed are --dim, --bytes, --repeat, --variant", strings.SplitN(err.Error(), "\n", 2)[0])
	}
	if flags.NArg() > 0 {
		refuse("unknown argument '%s'; allowed are --dim, --bytes, --repeat, --variant", flags.Arg(0))
	}
	if *dim < 1 || *dim > 15 || *bytes < 1 || *bytes > 1<<30 || *repeat < 1 || *repeat > 1000000 {
		refuse("--dim from 1 to 15 and --bytes from 1 to 2^30 are needed; --repeat is from 1 to 1000000")
	}
	known, verified := *only == "", true
	for _, variant := range variants {
		if *only != "" && *only != variant.name {
			continue
		}
		known = true
		line := measure(variant.name, variant.run, *dim, *bytes, *repeat)
		verified = verified && line.Verified
		text, err := json.Marshal(line)
		if err != nil {
			fmt.Fprintln(os.Stderr, "peer-goroutines:", err)
			os.Exit(1)
		}
		fmt.Println(string(text))
	}
	if !known {
		refuse("--variant: there is no '%s'; there are no-clock, clock, workers", *only)
	}
	if !verified {
		os.Exit(1)
	}
}

// The first time is to warm up.
func measure(variant string, run func(*exchange), dim uint, bytes, repeat int) result {
	e := newExchange(dim, bytes)
	line := result{Peer: "goroutines", Variant: variant, Dim: dim, Bytes: bytes, Verified: true}
	for round := 0; round <= repeat; round++ {
		e.fill()
		began := time.Now()
		run(e)
		if seconds := time.Since(began).Seconds(); round > 0 {
			line.Seconds = append(line.Seconds, seconds)
		}
		verified, checksum := e.verify()
		line.Verified = line.Verified && verified
		line.Checksum = fmt.Sprintf("%016x", checksum)
	}
	return line
}
