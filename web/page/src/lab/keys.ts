// Generated from the tables of a question's and a report's keys, run/question.cpp and run/report_fields.cpp, by
// tests/web/lab/keys_test.cpp.

import type { Field } from "./catalogue";

export const KEYS: readonly Field[] = [
  {"key":"collective","label":"Collective","group":"Problem","kind":"text","about":"what the nodes do together","form":"broadcast, all-to-all, matrix-transpose, ..., or as MPI and NCCL call it (bcast, alltoall)","usual":null,"values":["broadcast","reduce","scatter","gather","all-gather","reduce-scatter","all-reduce","all-to-all","send","exchange","permute","matrix-transpose","matrix-quarter-turn","matrix-half-turn","matrix-relayout"],"applies_to":null},
  {"key":"topology","label":"Network","group":"Network","kind":"text","about":"the network","form":"torus:8x8, mesh:4x6, ring:5*path:4, ...","usual":null,"values":null,"applies_to":null},
  {"key":"faults","label":"Missing","group":"Faults","kind":"texts","about":"links and nodes that are missing","form":"0-1,9","usual":null,"values":null,"applies_to":null},
  {"key":"ports","label":"Ports","group":"Network","kind":"text","about":"ports a node may use in a step","form":null,"usual":"all","values":["all","one"],"applies_to":null},
  {"key":"bytes","label":"Bytes","group":"Problem","kind":"number","about":"size of a packet","form":"64, 64B, 4KiB, 1M","usual":"64","values":null,"applies_to":["broadcast","reduce","scatter","gather","all-gather","reduce-scatter","all-reduce","all-to-all","send","exchange","permute"]},
  {"key":"packets","label":"Packets","group":"Problem","kind":"number","about":"packets of a message; all-reduce: blocks of the vector","form":null,"usual":"1","values":null,"applies_to":["broadcast","reduce","scatter","gather","all-gather","reduce-scatter","all-reduce","all-to-all","send","exchange","permute"]},
  {"key":"root","label":"Root","group":"Problem","kind":"number","about":"root; send, exchange: the source","form":null,"usual":"0","values":null,"applies_to":["broadcast","reduce","scatter","gather","send","exchange"]},
  {"key":"peer","label":"Peer","group":"Problem","kind":"number","about":"send, exchange: the destination","form":null,"usual":null,"values":null,"applies_to":["send","exchange"]},
  {"key":"permutation","label":"Permutation","group":"Problem","kind":"nodes","about":"permute: where each node's message goes","form":"rotation, inversion, ... or @FILE","usual":null,"values":null,"applies_to":["permute"]},
  {"key":"rows","label":"Rows","group":"Problem","kind":"number","about":"rows of the matrix","form":null,"usual":null,"values":null,"applies_to":["matrix-transpose","matrix-quarter-turn","matrix-half-turn","matrix-relayout"]},
  {"key":"columns","label":"Columns","group":"Problem","kind":"number","about":"columns of the matrix","form":null,"usual":null,"values":null,"applies_to":["matrix-transpose","matrix-quarter-turn","matrix-half-turn","matrix-relayout"]},
  {"key":"layout","label":"Layout","group":"Problem","kind":"text","about":"how the matrix lies on the nodes","form":"rows-blocked, submatrices, ...","usual":"rows-blocked","values":["rows-blocked","rows-striped","rows-blocked-gray","rows-striped-gray","submatrices","submatrices-gray"],"applies_to":["matrix-transpose","matrix-quarter-turn","matrix-half-turn","matrix-relayout"]},
  {"key":"to_layout","label":"To layout","group":"Problem","kind":"text","about":"how matrix-relayout leaves the matrix","form":"rows-striped, ...","usual":null,"values":["rows-blocked","rows-striped","rows-blocked-gray","rows-striped-gray","submatrices","submatrices-gray"],"applies_to":["matrix-relayout"]},
  {"key":"operation","label":"Operation","group":"Problem","kind":"text","about":"operation of a reduction","form":"sum, min, max, bit-xor","usual":"sum","values":["sum","min","max","bit-xor"],"applies_to":["reduce","reduce-scatter","all-reduce"]},
  {"key":"type","label":"Type","group":"Problem","kind":"text","about":"type of the elements of a reduction or matrix","form":"int8 .. uint64, float, double","usual":"uint8","values":["int8","int16","int32","int64","uint8","uint16","uint32","uint64","float","double"],"applies_to":["reduce","reduce-scatter","all-reduce","matrix-transpose","matrix-quarter-turn","matrix-half-turn","matrix-relayout"]},
  {"key":"in_place","label":"In place","group":"Problem","kind":"flag","about":"one array per node: its output takes the place of its input","form":null,"usual":null,"values":null,"applies_to":["all-gather","reduce-scatter","all-reduce","all-to-all","exchange","permute","matrix-transpose","matrix-quarter-turn","matrix-half-turn","matrix-relayout"]},
  {"key":"link_model","label":"Link","group":"Links","kind":"text","about":"a packet takes one step, or time by its size","form":null,"usual":"unit","values":["unit","link-bound"],"applies_to":null},
  {"key":"tau_ns_per_byte","label":"τ, ns per byte","group":"Links","kind":"exact","about":"ns per byte, for links that take time","form":"2, 5/2 or 0.5","usual":null,"values":null,"applies_to":null},
  {"key":"beta_ns","label":"β, ns per packet","group":"Links","kind":"exact","about":"ns per packet, for links that take time","form":null,"usual":null,"values":null,"applies_to":null},
  {"key":"machine","label":"Machine","group":"Links","kind":"text","about":"a machine whose tau and beta are known","form":"ncube3, infiniband-hdr, ...","usual":null,"values":["ncube3","cray-xc50","infiniband-edr","infiniband-hdr","ethernet-10g","ethernet-40g","nvlink3"],"applies_to":null},
  {"key":"clock","label":"Clock","group":"Links","kind":"text","about":"when a packet leaves on links that take time","form":"data-driven, lockstep","usual":"data-driven","values":["data-driven","lockstep"],"applies_to":null},
  {"key":"groups","label":"Groups","group":"Tuning","kind":"number","about":"groups of a pipelined algorithm","form":null,"usual":"the best","values":null,"applies_to":null},
  {"key":"detour_groups","label":"Detour groups","group":"Tuning","kind":"number","about":"groups on detours","form":null,"usual":"the best","values":null,"applies_to":null},
  {"key":"waves","label":"Waves","group":"Tuning","kind":"text","about":"the dimensions of each wave","form":"'432|1', '7..3|2|1'","usual":"the best","values":null,"applies_to":null},
  {"key":"halvings","label":"Halvings","group":"Tuning","kind":"number","about":"how often halving-doubling halves","form":null,"usual":"the best","values":null,"applies_to":null},
  {"key":"algorithm","label":"Algorithm","group":"Problem","kind":"text","about":"an algorithm of the list; auto takes the best","form":null,"usual":"auto","values":null,"applies_to":null},
  {"key":"seed","label":"Seed","group":"Problem","kind":"number","about":"seed of the data","form":null,"usual":"1","values":null,"applies_to":null},
  {"key":"failing","label":"Failing","group":"Faults","kind":"texts","about":"links and nodes that fail from a step on","form":"0-1@3,5@2","usual":null,"values":null,"applies_to":null},
];

/** The units of a report's keys. */
export const UNITS: ReadonlyMap<string, string> = new Map([
  ["tau_ns_per_byte","ns"],
  ["beta_ns","ns"],
  ["bytes","bytes"],
  ["virtual_time_ns","ns"],
  ["predicted_time_ns","ns"],
  ["time_lower_bound_ns","ns"],
  ["wall_seconds","s"],
  ["hops_per_second","1/s"],
  ["link_bytes_per_second","bytes/s"],
  ["peak_memory_bytes","bytes"],
  ["in_transit_bytes","bytes"],
  ["largest_in_transit_bytes","bytes"],
  ["link_bytes","bytes"],
  ["limit_seconds","s"],
  ["cross_rank_bytes","bytes"],
  ["communication_seconds","s"],
  ["cut_packet_bytes","bytes"],
  ["planning_seconds","s"],
]);
