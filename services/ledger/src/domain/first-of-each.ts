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
