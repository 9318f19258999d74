/**
 * A state machine as a table: one row per state, one cell per event. A cell names the next state; the row's own name
 * ignores a repeated event; `conflict` marks an event that cannot be true, which is reported and never applied. The
 * table is total by type, so a missing cell does not compile.
 */
export type Machine<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Record<Event, State | typeof conflict>>>
>

export const conflict = null
