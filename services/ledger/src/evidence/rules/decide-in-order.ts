import type { Decided, Writes } from './state'

/** What one command of a batch would do, and the rows that it is about, by their ids. */
export interface Proposal<Decided> {
  readonly about: readonly string[]
  readonly isWriting: boolean
  readonly decided: Decided
}

/**
 * Takes the decisions of a batch in their order, each made of what was loaded. A command about a row that an earlier one of
 * the batch writes is left out: it has to be loaded again behind that one.
 */
export function firstOfEach<Decided>(
  proposed: readonly (Proposal<Decided> | undefined)[],
): (Decided | undefined)[] {
  const written = new Set<string>()
  return proposed.map((one) => {
    if (one === undefined || !one.isWriting) return one?.decided
    if (one.about.some((id) => written.has(id))) return undefined
    for (const id of one.about) written.add(id)
    return one.decided
  })
}

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
  return firstOfEach(
    proposed.map(
      (one) =>
        one && {
          about: [...one.about.flatMap((id) => id ?? []), ...keysOf(one.decided.writes)],
          isWriting: one.decided.writes !== undefined,
          decided: one.decided,
        },
    ),
  )
}

function keysOf(writes: Batched['writes']): string[] {
  if (writes === undefined) return []
  const { message, transfers } = writes
  return [
    ...(message === undefined ? [] : [message.id]),
    ...transfers.map(({ eventKey }) => eventKey),
  ]
}
