/** Kinds of work, the most important first: what is shed last under overload. Callbacks are settlement. */
export const callClasses = ['settle', 'pay', 'create', 'read'] as const

export type CallClass = (typeof callClasses)[number]

/** The class of each method of a service. */
export type ClassOfMethod = Readonly<Record<string, CallClass>>

/**
 * Calls in flight from one process to one server. A provider does not repeat every callback, so settlement is bounded
 * by memory only; of the others more than this would wait longer than anyone waits for the answer.
 */
export const callsMax = {
  settle: 768,
  pay: 128,
  create: 128,
  read: 256,
} as const satisfies Record<CallClass, number>

/** Calls in flight in one server, from all its callers together. */
export const servedMax = {
  settle: 1_024,
  pay: 256,
  create: 256,
  read: 512,
} as const satisfies Record<CallClass, number>

export function eachClass<Value>(
  make: (callClass: CallClass) => Value,
): Readonly<Record<CallClass, Value>> {
  return { settle: make('settle'), pay: make('pay'), create: make('create'), read: make('read') }
}
