import { Fault } from '@malipo/kernel/errors'

/**
 * Returns a field that the receiver needs, because proto cannot mark a field as required. Fault: internal, when it is
 * absent.
 */
export function present<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw new Fault('internal', { missing: field })
  return value
}

type WithoutNulls<Row> = {
  readonly [Name in keyof Row]: null extends Row[Name]
    ? Exclude<Row[Name], null> | undefined
    : Row[Name]
}

/** A row with its absent values as proto has them: undefined where a database has null. */
export function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  const entries = Object.entries(row) as [string, unknown][]
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value ?? undefined]),
  ) as WithoutNulls<Row>
}
