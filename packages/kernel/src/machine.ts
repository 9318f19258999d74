/**
 * A state machine is a table: one row per state, one cell per event, every cell filled in.
 *
 * A cell names the next state; the row's own name absorbs a repeat; `conflict` is news that cannot be true and must
 * be reported, never applied. The table is total by type, so a forgotten cell does not compile.
 */
export type Machine<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Record<Event, State | typeof conflict>>>
>

export const conflict = null
