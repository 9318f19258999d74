import type { PayBillRegistration } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from '../ledger.harness'
import { payBill, payBillNumberKey } from './pay-bill.harness'

const at = ledgerOfFile({ payBillNumberKey, reconcileEverySeconds: 0.1 })

beforeEach(async () => {
  await at.database.pool.query('TRUNCATE pay_bill_addresses')
})

const addresses = { shortCode: '600100', digest: Buffer.alloc(32, 1) }

const begin = () => at.ledger.beginPayBillRegistration({ addresses })
const record = (registration: PayBillRegistration) =>
  at.ledger.recordPayBillRegistration({ addresses, registration })

/** Makes the next attempt due. */
const wait = () => at.database.pool.query(`UPDATE pay_bill_addresses SET next_attempt_at = now()`)

async function unproven(): Promise<string | undefined> {
  const text = await (await fetch(`${at.ledger.adminUrl}/metrics`)).text()
  return /^malipo_level\{name="pay_bill_addresses_unproven"\} (\d+)$/m.exec(text)?.[1]
}

async function isProved(): Promise<boolean | undefined> {
  const { rows } = await at.database.pool.query<{ is: boolean }>(
    'SELECT proved_at IS NOT NULL AS is FROM pay_bill_addresses',
  )
  return rows[0]?.is
}

test('waits ever longer after registrations without success, up to an hour', async () => {
  const waits: number[] = []
  for (let tries = 0; tries < 12; tries += 1) {
    expect((await begin()).due).toBe(true)
    await record('PAY_BILL_REGISTRATION_UNANSWERED')
    waits.push(Math.ceil((await begin()).waitSeconds ?? 0))
    await wait()
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600])
})

test('a registration that existed before counts as unproven, by a metric, until M-Pesa sends a confirmation', async () => {
  const menu = payBill(at.ledger)
  const paid = (sourceKnown: boolean) =>
    menu.paid({ accountNumber: 'one shilling', amountMinor: 100n, unsigned: true, sourceKnown })
  // This confirmation comes before the answer, so it may have come to the addresses that were registered before.
  await begin()
  await paid(true)
  await record('PAY_BILL_REGISTRATION_REGISTERED_BEFORE')
  await seen('1')
  await paid(false)
  await menu.paid({
    ...{ accountNumber: 'one shilling', amountMinor: 100n },
    kind: 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW',
  })
  expect(await isProved()).toBe(false)
  await paid(true)
  expect(await isProved()).toBe(true)
  await seen('0')
  expect(await begin()).toEqual({ due: false })
})

test('a registration that M-Pesa refuses time after time counts as unproven, until it succeeds', async () => {
  await seen('0')
  for (let tries = 0; tries < 5; tries += 1) {
    await begin()
    await record('PAY_BILL_REGISTRATION_UNANSWERED')
    await wait()
  }
  await seen('1')
  await begin()
  await record('PAY_BILL_REGISTRATION_REGISTERED')
  await seen('0')
})

const seen = (count: string) =>
  eventually(`${count} unproven`, async () => (await unproven()) === count)

test('refuses an outcome without a known value', async () => {
  await expect(record('PAY_BILL_REGISTRATION_UNSPECIFIED')).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})
