package main

import "encoding/binary"

// The data of dcube's seeded runs, seed 1: collectives/seeded_data.hpp.
const (
	perOrigin = 0xd1342543de82ef95
	perTarget = 0x2545f4914f6cdd1d
	perWord   = 0x9e3779b97f4a7c15
	seed      = 1
)

func scrambled(x uint64) uint64 {
	x = (x ^ x>>32) * 0xbf58476d1ce4e5b9
	return x ^ x>>29
}

// fillBlock makes the block that origin sends to target.
func fillBlock(block []byte, origin, target int) {
	key := uint64(seed)
	key = scrambled(scrambled(key+perWord)) + uint64(origin)*perOrigin + uint64(target)*perTarget
	var word [8]byte
	for len(block) > 0 {
		binary.LittleEndian.PutUint64(word[:], scrambled(key))
		block = block[copy(block, word[:]):]
		key += perWord
	}
}

func (e *exchange) fill() {
	for node := range e.held {
		for x, block := range e.held[node] {
			fillBlock(block, node, node^x)
		}
	}
}

// verify compares all blocks, and adds up the nodes' FNV-1a hashes of what they hold, in order of the origins.
func (e *exchange) verify() (verified bool, checksum uint64) {
	verified = true
	expected := make([]byte, e.bytes)
	for target := range e.held {
		hash := uint64(0xcbf29ce484222325)
		for origin := 0; origin < e.nodes; origin++ {
			block := e.held[target][target^origin]
			fillBlock(expected, origin, target)
			verified = verified && string(block) == string(expected)
			for _, value := range block {
				hash = (hash ^ uint64(value)) * 0x100000001b3
			}
		}
		checksum += hash
	}
	return verified, checksum
}
