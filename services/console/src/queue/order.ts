interface Waiting {
  readonly amount?: { readonly minor: bigint } | undefined
  readonly since?: Date | undefined
}

/** Sorts the most money first, and rows of equal money by age, the oldest first. Rows without money come last. */
export function byMoney<Row extends Waiting>(rows: readonly Row[]): Row[] {
  return [...rows].sort((one, other) => {
    const [mine, theirs] = [one.amount?.minor ?? -1n, other.amount?.minor ?? -1n]
    if (mine === theirs) return sinceOf(one) - sinceOf(other)
    return mine > theirs ? -1 : 1
  })
}

/** Sorts the row that waits longest first. */
export function byAge<Row extends Waiting>(rows: readonly Row[]): Row[] {
  return [...rows].sort((one, other) => sinceOf(one) - sinceOf(other))
}

function sinceOf({ since }: Waiting): number {
  return since?.getTime() ?? 0
}
