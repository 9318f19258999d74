import { Fault } from '@malipo/kernel/errors'

/**
 * Returns a field that the receiver needs, because proto cannot mark a field as required. Fault: internal, when it is
 * absent.
 */
export function present<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw new Fault('internal', { missing: field })
  return value
}
