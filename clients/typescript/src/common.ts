// What both clients share: how a match went, and a player who picks by a fixed rule.

export interface Played {
  moves: number;
  version: number;
  winners: readonly number[];
}

export interface Choosing {
  id: number;
  min: number;
  options: readonly { id: string }[];
}

export const MOST_MOVES = 4000;

/** Numbers below a bound, the same every run. */
export function chance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** As few options as the choice allows, from a random place on. */
export function picks(choice: Choosing, below: (bound: number) => number): string[] {
  const ids = choice.options.map((option) => option.id);
  const start = ids.length ? below(ids.length) : 0;
  return [...ids.slice(start), ...ids.slice(0, start)].slice(0, choice.min);
}

/** A value that has to be there. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
}
