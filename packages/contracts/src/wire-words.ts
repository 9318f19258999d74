/**
 * The name in our code for an enum value: `RAIL_MTN_MOMO` becomes `mtn_momo`, and unspecified becomes undefined. A
 * value that only our code or only the proto file has does not compile, so no table is needed.
 */
export type Word<Prefix extends string, Wire> = Wire extends `${Prefix}_UNSPECIFIED`
  ? undefined
  : Wire extends `${Prefix}_${infer Name}`
    ? Lowercase<Name>
    : never

/** The enum value for a name: `mtn_momo` becomes `RAIL_MTN_MOMO`. */
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
