import { Fault } from '@malipo/kernel/errors'

/** Proto cannot require a field; the contracts of our services do. */
export function present<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw new Fault('internal', { missing: field })
  return value
}
