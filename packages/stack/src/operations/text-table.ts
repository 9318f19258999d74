/** Columns are as wide as their widest cell, two spaces apart. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  )
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

/** `95 min`, `7 h`, `3 d`. */
export function ageText(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  if (minutes < 120) return `${String(minutes)} min`
  return minutes < 2_880
    ? `${String(Math.floor(minutes / 60))} h`
    : `${String(Math.floor(minutes / 1_440))} d`
}
