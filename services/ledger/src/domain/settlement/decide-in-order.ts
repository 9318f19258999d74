import type { Decided } from './state'

/** A command of a batch, and what it would write. */
export interface Proposed {
  /** The rows that the decision is about: its intent and its checkout, by their ids. */
  readonly about: readonly (string | null)[]
  readonly decided: Decided
}

/**
 * Takes the decisions of a batch in their order, each made of what was loaded. A command about an intent, a checkout, a
 * message or a receipt that an earlier one of the batch writes is left out: it has to be loaded again behind that one.
 */
export function inOrder(proposed: readonly (Proposed | undefined)[]): (Decided | undefined)[] {
  const written = new Set<string>()
  return proposed.map((one) => {
    const writes = one?.decided.writes
    if (one === undefined || writes === undefined) return one?.decided
    const keys = [
      ...one.about.flatMap((id) => id ?? []),
      writes.message.id,
      ...writes.transfers.map(({ eventKey }) => eventKey),
    ]
    if (keys.some((key) => written.has(key))) return undefined
    for (const key of keys) written.add(key)
    return one.decided
  })
}
