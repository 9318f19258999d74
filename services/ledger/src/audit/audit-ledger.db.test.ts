import { ProviderMessageKind } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { openLedger, type TestLedger } from '../ledger.harness'
import { confirmed } from '../payments.harness'
import { evidence } from '../evidence/evidence.harness'
import { past } from '../time.harness'

let at: TestLedger

beforeAll(async () => {
  at = await openLedger({ auditEverySeconds: 0.1 })
})

afterAll(async () => {
  await at.ledger.stop()
  await at.database.drop()
})

/** The value in the line of the metrics that begins with `line`. */
async function metric(line: string): Promise<string | undefined> {
  const text = await (await fetch(`${at.ledger.adminUrl}/metrics`)).text()
  const found = text.split('\n').find((one) => one.startsWith(`${line} `))
  return found?.slice(line.length + 1)
}

const becomes = (line: string, value: string) =>
  eventually(`${line} is ${value}`, async () => (await metric(line)) === value)

test('a running ledger audits itself and publishes the time of the audit, broken invariants and open suspense as metrics', async () => {
  const { checkoutId } = await at.pay.checkout()
  await evidence(at).fetched(
    await at.pay.pending(checkoutId),
    confirmed({ receipt: 'DIFFERS001', amountMinor: 40_000n }),
    ProviderMessageKind.STATEMENT_ROW,
  )
  await becomes('malipo_invariant_violations{invariant="12"}', '0')
  await becomes('malipo_level{name="suspense_open"}', '1')
  await becomes('malipo_level{name="suspense_open_minor"}', '40000')
  const auditedAt = await metric('malipo_audited_timestamp_seconds')
  await eventually(
    'the next audit',
    async () => (await metric('malipo_audited_timestamp_seconds')) !== auditedAt,
  )

  await past(at.database, async (query) => {
    await query('UPDATE checkouts SET amount_minor = 99 WHERE id = $1', [checkoutId])
  })
  await becomes('malipo_invariant_violations{invariant="30"}', '1')

  await past(at.database, async (query) => {
    await query('UPDATE checkouts SET amount_minor = 50000 WHERE id = $1', [checkoutId])
  })
  await becomes('malipo_invariant_violations{invariant="30"}', '0')
})

test('an audit in which a query gets no answer does not count as done, and only the invariants found broken before are still shown', async () => {
  await past(at.database, async (query) => {
    await query(`INSERT INTO pay_bill_numbers (number, checkout_id, given_at)
      SELECT 'CS00000001', id, clock_timestamp() FROM checkouts LIMIT 1`)
  })
  await becomes('malipo_invariant_violations{invariant="29"}', '1')
  await becomes('malipo_invariant_violations{invariant="14"}', '0')
  const holder = await at.database.pool.connect()
  await holder.query('BEGIN; LOCK TABLE card_sessions, pay_bill_numbers IN ACCESS EXCLUSIVE MODE')
  const isGone = async () =>
    (await metric('malipo_invariant_violations{invariant="14"}')) === undefined
  await eventually('number 14 is not answered', isGone)
  const auditedAt = await metric('malipo_audited_timestamp_seconds')
  // One of the three may be of the round that runs; the others are of the next round.
  for (let left = 3; left > 0; left -= 1) {
    const unanswered = () => metric('malipo_events_total{name="invariant_unanswered"}')
    const before = await unanswered()
    await eventually('one more is not answered', async () => (await unanswered()) !== before)
  }
  expect(await metric('malipo_audited_timestamp_seconds')).toBe(auditedAt)
  expect(await isGone()).toBe(true)
  expect(await metric('malipo_invariant_violations{invariant="29"}')).toBe('1')

  await holder.query('COMMIT')
  holder.release()
  await past(at.database, async (query) => {
    await query('DELETE FROM pay_bill_numbers')
  })
  await becomes('malipo_invariant_violations{invariant="29"}', '0')
  await becomes('malipo_invariant_violations{invariant="14"}', '0')
  await eventually(
    'an audit counts again',
    async () => (await metric('malipo_audited_timestamp_seconds')) !== auditedAt,
  )
})

test('shows how long the oldest query of a payment in flight has been due, also while it is claimed anew, and apart from those of ended payments', async () => {
  const inFlight = await at.pay.pending((await at.pay.checkout()).checkoutId)
  const ended = await at.pay.pending((await at.pay.checkout()).checkoutId)
  const shows = (name: string, value: RegExp) =>
    eventually(`${name} is ${value.source}`, async () =>
      value.test((await metric(`malipo_level{name="${name}"}`)) ?? ''),
    )
  await past(at.database, async (query) => {
    const due = 'query_at = now() - $2::interval, next_action_at = now() + $3::interval'
    await query(`UPDATE intents SET ${due} WHERE id = $1`, [inFlight.intentId, '100 s', '3 s'])
    await query(
      `UPDATE intents SET ${due}, status = 'expired', event = 'lapsed', cause = 'unconfirmed', ended_at = now(),
        deadline_at = NULL WHERE id = $1`,
      [ended.intentId, '5000 s', '-5000 s'],
    )
  })
  await shows('watches_oldest_s', /^50\d\d\b/)
  await shows('outbox_oldest_s', /^1\d\d\b/)
})
