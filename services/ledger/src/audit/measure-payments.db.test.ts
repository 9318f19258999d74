import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from '../ledger.harness'
import { letPass } from '../time.harness'

const at = ledgerOfFile({ measureEverySeconds: 0.1 })

/** The value of a sample of the running ledger, by its whole name. */
async function sample(name: string): Promise<string | undefined> {
  const text = await (await fetch(`${at.ledger.adminUrl}/metrics`)).text()
  const found = text.split('\n').find((line) => line.startsWith(`${name} `))
  return found?.slice(name.length + 1)
}

const becomes = (name: string, value: string) =>
  eventually(`${name} is ${value}`, async () => (await sample(name)) === value)

test('exports how many connections its server has left for services', async () => {
  const left = async () => {
    const { rows } = await at.database.pool.query<{ left: string }>(
      `SELECT setting::int - 3 - count(a.*) AS left FROM pg_settings, pg_stat_activity a
       WHERE name = 'max_connections' AND backend_type = 'client backend' GROUP BY setting`,
    )
    return rows[0]?.left
  }
  // Other tests open and close connections on the same server, so the counts are compared until they agree.
  await eventually(
    'both count the same',
    async () => (await sample('malipo_database_connections_left')) === (await left()),
  )
})

test('counts each payment once by rail, outcome and cause, with the times of its prompt and its money', async () => {
  const pending = async () => at.pay.pending((await at.pay.checkout()).checkoutId)
  await at.pay.paid(await pending())
  await at.pay.paid(await pending())
  await at.pay.declined(await pending())
  await becomes('malipo_payments_total{rail="mpesa",outcome="completed",cause=""}', '2')
  await becomes('malipo_payments_total{rail="mpesa",outcome="failed",cause="cancelled"}', '1')
  await becomes('malipo_prompt_seconds_count{rail="mpesa"}', '3')
  await becomes('malipo_prompt_seconds_bucket{le="2",rail="mpesa"}', '3')
  await becomes('malipo_settlement_seconds_count{rail="mpesa"}', '2')

  const silent = await pending()
  await letPass(at.database, 151)
  await becomes('malipo_payments_total{rail="mpesa",outcome="expired",cause="unconfirmed"}', '1')
  expect(await at.pay.status(silent.intentId)).toBe('INTENT_STATUS_EXPIRED')
  expect(await sample('malipo_payments_total{rail="mpesa",outcome="completed",cause=""}')).toBe('2')
})
