// What a table calls ports and packets: numbers and ways, or the names that a lesson has for them.

import type { Film } from "../viewer/film";
import type { Hop, Schedule } from "./schedule";

export class Words {
  readonly #packets = new Map<string, string>();

  constructor(
    private readonly film: Film,
    private readonly schedule: Schedule,
    private readonly names: readonly string[],
  ) {
    const { rings } = this;
    if (schedule.symmetric && names.length > 0 && rings)
      for (const { name, packet } of schedule.hops)
        this.#packets.set(name, this.#byPorts(film.rows.target[packet]!, rings));
  }

  /** The rings of a torus, the last first: its ports are numbered so. */
  get rings(): number[] | null {
    const { relative } = this.film.data.network;
    return typeof relative === "object" ? [...relative.digits].reverse() : null;
  }

  port(port: number): string {
    return this.names[port] ?? String(port);
  }

  /** "port 0", where the heading does not say what it is of. */
  wholePort(port: number): string {
    return this.names[port] ?? `port ${port}`;
  }

  /** A packet of a row. */
  packet(name: string): string {
    return this.#packets.get(name) ?? name;
  }

  /** A packet in a cell: on cubes, where a lesson has names, "2 for 1", which is what node 0 sends of node 2's. */
  sent({ name, packet }: Hop): string {
    const { film } = this;
    if (this.names.length === 0 || !this.schedule.symmetric || this.rings) return this.packet(name);
    const from = film.from(packet);
    return `${from} for ${from ^ film.rows.target[packet]!}`;
  }

  /** "right and down", "2 left and up": the ports that a way from node 0 needs. */
  #byPorts(way: number, rings: readonly number[]): string {
    const parts: string[] = [];
    let port = 0;
    for (const size of rings) {
      const digit = way % size;
      way = Math.floor(way / size);
      const ahead = 2 * digit <= size;
      const hops = ahead ? digit : size - digit;
      if (hops > 0) parts.push(`${hops > 1 ? `${hops} ` : ""}${this.port(port + (ahead ? 0 : 1))}`);
      port += size > 2 ? 2 : 1;
    }
    return parts.join(" and ");
  }
}
