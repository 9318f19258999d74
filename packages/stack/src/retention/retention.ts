/** How long rows of a table of a ledger stay in its database, and why. */
export interface Retention {
  /** `forever`; `until done`: it is a list of work; or the days after which a month may be detached. */
  readonly kept: 'forever' | 'until done' | { readonly days: number; readonly what: string }
  readonly because: string
}

/**
 * How many days after its end a month may be detached: longer than anything waits here (late money 72 hours, the
 * statement 47 hours, a refund 72 hours), and a quarter of the year, in which payers and merchants ask nearly all their
 * questions.
 */
export const detachAfterDays = 90

/** The newest month, such as `2026-08`, whose end is at least `detachAfterDays` past. */
export function newestDetachable(now: Date): string {
  const kept = new Date(now.getTime() - detachAfterDays * 86_400_000)
  const month = new Date(Date.UTC(kept.getUTCFullYear(), kept.getUTCMonth() - 1))
  return month.toISOString().slice(0, 7)
}

const forever = (because: string): Retention => ({ kept: 'forever', because })
const untilDone = (because: string): Retention => ({ kept: 'until done', because })
const detached = (what: string, because: string): Retention => ({
  kept: { days: detachAfterDays, what },
  because,
})

/** Each table of a ledger's database. */
export const retention: Readonly<Record<string, Retention>> = {
  accounts: forever('each transfer names two'),
  audit_marks: forever('one row for each invariant of the audit'),
  card_sessions: forever('the fee of a card payment, by which its money is divided and audited'),
  checkout_expiries: untilDone('goes when its checkout has expired or is paid'),
  checkouts: forever('a merchant reads a checkout of any age'),
  console_records: untilDone('goes when the next is kept after its end'),
  deployment: forever('one row'),
  detached_months: forever('what each file has to be'),
  freezings: forever('an act of two operators'),
  idempotency_keys: forever('a key is replayed at any age, and never used twice'),
  intent_steps: detached(
    'rows',
    'the history of an attempt, which nothing decides by; the attempt itself says how it ended',
  ),
  intents: forever('a late report finds its attempt at any age; a receipt belongs to one of them'),
  journal_seals: forever('the checkpoint hashes of the journal'),
  operator_actions: forever('who did what by hand'),
  operator_acts: forever('what operators signed'),
  operators: forever('acts name them'),
  pay_bill_addresses: forever('one row a short code'),
  pay_bill_numbers: forever('whose number it is, until it is given to another checkout'),
  pay_bill_reports: forever(
    'a receipt is reported at any age; by default each confirmation is one',
  ),
  payment_reports: untilDone('goes when its receipt is posted'),
  placements: forever('an act of two operators'),
  provider_messages: detached(
    'bodies',
    'the words of a provider, which nothing reads once they were applied; their results, and the digest by which the same callback is known again, stays',
  ),
  recon_reports: forever('one row for each day, provider and reconciliation'),
  refunds: forever('a receipt goes back once'),
  report_closings: forever('an act of two operators'),
  report_postings: forever('an act of two operators'),
  statement_reads: forever('how far the statement was read'),
  statement_rows: forever('a receipt of the provider, with which a day of any age is reconciled'),
  suspense_items: forever('why money was held'),
  transfers: forever('the journal'),
  wallets: forever('who can be paid'),
  wanted_payees: untilDone('goes when the payee was found'),
  webhook_deliveries: untilDone('goes with its event'),
  webhook_endpoints: forever('deliveries name them'),
  webhook_events: untilDone('goes 30 days after it was made'),
  wire_attempts: forever('a prompt is sent once, at any age'),
  worker_refund_rails: forever('one row for each set of rails by which workers send refunds'),
}
