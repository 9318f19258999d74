/** A country may be several cells, each with its own ledgers, database and workers. An account stays in its cell. */
export type Cell = number

/** The only cell of a country without further cells. Accounts from before there were cells are in this cell. */
export const firstCell: Cell = 0
export const cellsMax = 256

/** The two hex digits that follow the prefix of an id which is made in this cell. */
export function cellDigits(cell: Cell): string {
  return cell.toString(16).padStart(2, '0')
}

const cellByDigits = new Map<string, Cell>(
  Array.from({ length: cellsMax }, (_, cell) => [cellDigits(cell), cell]),
)

/**
 * The cell that an id (`cs_ke_…`, `pi_…`, `rf_…`) or the token of a callback names; undefined where it names none. The
 * cell that an id from before there were cells names is meaningless.
 */
export function cellOf(id: string): Cell | undefined {
  const digits = /^(?:[a-z]+_)*([0-9a-f]{2})[0-9a-f]{22}/.exec(id)?.[1]
  return digits === undefined ? undefined : cellByDigits.get(digits)
}

/** The prefix of what a cell has in Redis: queues, announcements and leases. */
export function cellPrefix(prefix: string, cell: Cell): string {
  return cell === firstCell ? prefix : `${prefix}-cell-${String(cell)}`
}
