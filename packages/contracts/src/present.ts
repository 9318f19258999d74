import { Fault } from '@malipo/kernel/errors'

/** Proto cannot mark a field as required; our services' contracts do. Fault: internal. */
export function present<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw new Fault('internal', { missing: field })
  return value
}
