interface List<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

/** Puts the newest page, which was read again, into a list. The later pages stay if they follow on from that page. */
export function withFresh<Row extends { readonly id: string }>(
  known: List<Row>,
  fresh: List<Row>,
): List<Row> {
  const last = fresh.rows.at(-1)
  const place = known.rows.findIndex(({ id }) => id === last?.id)
  const later = place === -1 ? [] : known.rows.slice(place + 1)
  // If the list lacks the last row of the new page, rows between the two may be missing: only the new page is shown.
  if (later.length === 0 || !fresh.hasMore) return fresh
  return { rows: [...fresh.rows, ...later], hasMore: known.hasMore }
}

/** The pause before the page is read again: short enough to show a payment within 2 s, and doubled by each failure. */
export function nextPollMs(failures: number): number {
  return Math.min(1_500 * 2 ** failures, 60_000)
}

export function countNewlyPaid<Row extends { readonly id: string; readonly status: string }>(
  known: readonly Row[],
  fresh: readonly Row[],
): number {
  const before = new Map(known.map(({ id, status }) => [id, status]))
  // A fresh row below the last known one is older: it moved up to this page because a row above it left the list.
  const end = known.length === 0 ? fresh.length : fresh.findLastIndex(({ id }) => before.has(id))
  return fresh.filter(
    ({ id, status }, place) =>
      status === 'completed' && before.get(id) !== 'completed' && place <= end,
  ).length
}
