/** A thing as a line of text. */
export function lineOf(thing: unknown): string {
  return JSON.stringify(thing, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}
