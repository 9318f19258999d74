/** The cell that `--cell` names. Undefined where it is not given, as for a command about all cells. */
export async function cellIn({ cell: given }) {
  if (given === undefined) return undefined
  const { cell } = await import('@malipo/runtime/env')
  const read = cell.safeParse(given)
  if (!read.success) throw new Error('Which cell? --cell NUMBER, such as --cell 1')
  return read.data
}
