/** Kinds of work, most important first: under overload the last are refused first. Callbacks are `settle`. */
export const callClasses = ['settle', 'pay', 'create', 'read'] as const

export type CallClass = (typeof callClasses)[number]

export type ClassOfMethod = Readonly<Record<string, CallClass>>

/**
 * The most calls in flight from one gateway to the ledger of one cell. The last of 192 `pay` calls waits less than a
 * second; more would only wait longer. An account may make 120 checkouts a minute, so one account cannot fill `create`.
 * The gateway runs fewer reads than 256 (`read-places.ts`): the rest is for calls whose caller has given up. A provider
 * does not repeat every callback, so `settle` is bounded by memory only.
 */
export const callsMax = {
  settle: 768,
  pay: 192,
  create: 160,
  read: 256,
} as const satisfies Record<CallClass, number>

/** The most calls in flight in one server, over all callers. */
export const servedMax = {
  settle: 1_024,
  pay: 384,
  create: 320,
  read: 256,
} as const satisfies Record<CallClass, number>

export function eachClass<Value>(
  make: (callClass: CallClass) => Value,
): Readonly<Record<CallClass, Value>> {
  return { settle: make('settle'), pay: make('pay'), create: make('create'), read: make('read') }
}
