import type { Instant, Intent } from '../../domain/settlement/state'

/** SQL of a time as microseconds since 1970, which a double holds exactly; a `Date` would lose the last three digits. */
export function micros(time: string): string {
  return `(extract(epoch FROM ${time}) * 1000000)::float8`
}

/** What PostgreSQL reads as that time. */
export function timestamp(at: Instant | null): string | null {
  if (at === null) return null
  const milliseconds = Math.floor(at / 1_000)
  const rest = String(at - milliseconds * 1_000).padStart(3, '0')
  return new Date(milliseconds).toISOString().replace('Z', `${rest}Z`)
}

const plain = {
  id: 'id',
  checkoutId: 'checkout_id',
  accountId: 'account_id',
  handle: 'handle',
  rail: 'rail',
  phone: 'phone',
  providerRequestId: 'provider_request_id',
  status: 'status',
  event: 'event',
  receiptWanted: 'receipt_wanted',
  deniedCode: 'denied_code',
  cause: 'cause',
  providerCode: 'provider_code',
  receipt: 'receipt',
  disposition: 'disposition',
} as const

const amounts = {
  amountMinor: 'amount_minor',
  askedMinor: 'asked_minor',
  settledMinor: 'settled_minor',
} as const

const times = {
  submittedAt: 'submitted_at',
  askedAt: 'asked_at',
  endedAt: 'ended_at',
  deadlineAt: 'deadline_at',
  nextActionAt: 'next_action_at',
  queryAt: 'query_at',
  deniedAt: 'denied_at',
  settledAt: 'settled_at',
  reportedAt: 'reported_at',
  heldUntil: 'held_until',
} as const

/** The columns of the intent `i`, each by its name in `Intent`. */
export const intentColumns = [
  ...Object.entries({ ...plain, ...amounts }).map(([name, column]) => `i.${column} AS "${name}"`),
  ...Object.entries(times).map(([name, column]) => `${micros(`i.${column}`)} AS "${name}"`),
].join(', ')

/** A row of `intentColumns`: `pg` gives a bigint as text, and JSON as a number. */
export type IntentRow = Omit<Intent, keyof typeof amounts> &
  Record<'amountMinor' | 'askedMinor', string | number> & {
    readonly settledMinor: string | number | null
  }

export function readIntent(row: IntentRow): Intent {
  const { settledMinor, amountMinor, askedMinor } = row
  return {
    ...row,
    amountMinor: BigInt(amountMinor),
    askedMinor: BigInt(askedMinor),
    settledMinor: settledMinor === null ? null : BigInt(settledMinor),
  }
}
