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

/** What a metric of the running ledger says, by its line. */
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
