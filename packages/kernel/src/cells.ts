/** A country may be several cells, each with its own ledgers, database and workers. Accounts do not move between them. */
export type Cell = number

/** Where the ids of the time before cells are, and all of a country that has no other. */
export const firstCell: Cell = 0
export const cellsMax = 256

/** The first hex digits of an id that is made in a cell. */
export function cellDigits(cell: Cell): string {
  return cell.toString(16).padStart(2, '0')
}

const cellByDigits = new Map<string, Cell>(
  Array.from({ length: cellsMax }, (_, cell) => [cellDigits(cell), cell]),
)

/**
 * The cell in an id (`cs_ke_…`, `pi_…`, `rf_…`) or in the token of a callback; undefined where there is none. An id of the
 * time before cells has a random one.
 */
export function cellOf(id: string): Cell | undefined {
  const digits = /^(?:[a-z]+_)*([0-9a-f]{2})[0-9a-f]{22}/.exec(id)?.[1]
  return digits === undefined ? undefined : cellByDigits.get(digits)
}

/** The prefix of what a cell has in Redis: queues, announcements and leases. */
export function cellPrefix(prefix: string, cell: Cell): string {
  return cell === firstCell ? prefix : `${prefix}-cell-${String(cell)}`
}
