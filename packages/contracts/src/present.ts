import { Fault } from '@malipo/kernel/errors'

/** Proto cannot mark a field as required, so a message without a needed field is refused here. Fault: internal. */
export function present<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw new Fault('internal', { missing: field })
  return value
}
