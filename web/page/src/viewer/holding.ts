// The nodes' data, for each of the three kinds of messages: moves, copies, sums (holding-*.ts). view/film/holdings.cpp works it
// out again for figures, which are made without a browser: a change here is a change there.

export interface Holding {
  /** A packet arrives; throws a text if it cannot be. */
  arrive(packet: number): void;
  save(): unknown;
  restore(saved: unknown): void;
  /** Units (parts of messages) that the node has of those it needs, and how many it needs. */
  got(node: number): number;
  due(node: number): number;
  /** Units that it keeps for others. */
  kept(node: number): number;
  /** Share of cell `cell` of the node that is there, 0..1; -1: no such cell. */
  cell(node: number, cell: number): number;
}
