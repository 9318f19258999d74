import { type Cell, firstCell } from '@malipo/kernel/cells'

/** `ke`, and `ke-cell-1` of a further cell: so its processes and files are named, and its rows in tables of operators. */
export function placeOf(name: string, cell: Cell): string {
  return cell === firstCell ? name : `${name}-cell-${String(cell)}`
}
