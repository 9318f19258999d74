/**
 * What an enum's value is called in our code: `RAIL_MTN_MOMO` is `mtn_momo`, and what is unspecified is undefined. A value
 * that only one side knows does not compile where the two meet, so no table of them is needed.
 */
export type Word<Prefix extends string, Wire> = Wire extends `${Prefix}_UNSPECIFIED`
  ? undefined
  : Wire extends `${Prefix}_${infer Name}`
    ? Lowercase<Name>
    : never

/** What a word of ours is called on the wire: `mtn_momo` is `RAIL_MTN_MOMO`. */
export type Wire<Prefix extends string, Name> = Name extends string
  ? `${Prefix}_${Uppercase<Name>}`
  : `${Prefix}_UNSPECIFIED`

export function wordOf<Prefix extends string, Value extends `${Prefix}_${string}`>(
  prefix: Prefix,
  wire: Value,
): Word<Prefix, Value> {
  const name = wire.slice(prefix.length + 1).toLowerCase()
  return (name === 'unspecified' ? undefined : name) as Word<Prefix, Value>
}

export function wireOf<Prefix extends string, Name extends string | null | undefined>(
  prefix: Prefix,
  word: Name,
): Wire<Prefix, Name> {
  return `${prefix}_${(word ?? 'unspecified').toUpperCase()}` as Wire<Prefix, Name>
}
