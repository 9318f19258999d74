import { type Cell, firstCell } from '@malipo/kernel/cells'

/**
 * `ke` for the first cell and `ke-cell-1` for the next: names its processes and files, and its rows in operators'
 * tables.
 */
export function placeOf(name: string, cell: Cell): string {
  return cell === firstCell ? name : `${name}-cell-${String(cell)}`
}
