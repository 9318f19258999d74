import type { Decided, Writes } from './state'

/** What a batch has to know of a decision: the message and the events of the journal that it writes. */
export interface Batched {
  readonly writes?: Partial<Pick<Writes, 'message'>> & Pick<Writes, 'transfers'>
}

/** A command of a batch, and what it would write. */
export interface Proposed<One extends Batched = Decided> {
  /** The rows that the decision is about, such as its intent and its checkout, by their ids. */
  readonly about: readonly (string | null)[]
  readonly decided: One
}

/**
 * Takes the decisions of a batch in their order, each made of what was loaded. A command about a row, a message or a
 * receipt that an earlier one of the batch writes is left out: it has to be loaded again behind that one.
 */
export function inOrder<One extends Batched>(
  proposed: readonly (Proposed<One> | undefined)[],
): (One | undefined)[] {
  const written = new Set<string>()
  return proposed.map((one) => {
    const writes = one?.decided.writes
    if (one === undefined || writes === undefined) return one?.decided
    const keys = [
      ...one.about.flatMap((id) => id ?? []),
      ...(writes.message === undefined ? [] : [writes.message.id]),
      ...writes.transfers.map(({ eventKey }) => eventKey),
    ]
    if (keys.some((key) => written.has(key))) return undefined
    for (const key of keys) written.add(key)
    return one.decided
  })
}
