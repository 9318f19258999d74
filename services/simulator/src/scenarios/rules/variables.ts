export type Variables = ReadonlyMap<string, string>

export type Filled =
  | { readonly kind: 'filled'; readonly value: unknown }
  | { readonly kind: 'unknown'; readonly name: string }

const place = /\$\{(\w+)\}/g

/** Puts values in the places `${NAME}` of every text of a value; a place without a value is refused. */
export function fill(value: unknown, variables: Variables): Filled {
  const missing = namesIn(value).find((name) => !variables.has(name))
  return missing === undefined
    ? { kind: 'filled', value: filled(value, variables) }
    : { kind: 'unknown', name: missing }
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [...value.matchAll(place)].map(([, name = '']) => name)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(namesIn)
}

function filled(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(place, (_, name: string) => variables.get(name) ?? '')
  }
  if (Array.isArray(value)) return value.map((part) => filled(part, variables))
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([name, part]: [string, unknown]) => [
    name,
    filled(part, variables),
  ])
  return Object.fromEntries(parts)
}
