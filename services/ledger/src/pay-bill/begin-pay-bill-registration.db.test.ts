import { createHash } from 'node:crypto'
import { ledgerOfFile } from '../ledger.harness'
import { payBillNumberKey } from './pay-bill.harness'

const at = ledgerOfFile({ payBillNumberKey })

beforeEach(async () => {
  await at.database.pool.query('TRUNCATE pay_bill_addresses')
})

const addressesOf = (secret: string) => ({
  shortCode: '600100',
  digest: createHash('sha256').update(secret).digest(),
})
const addresses = addressesOf('one')

const begin = (what = addresses) => at.ledger.beginPayBillRegistration({ addresses: what })
const record = (registration: 'PAY_BILL_REGISTRATION_REGISTERED', what = addresses) =>
  at.ledger.recordPayBillRegistration({ addresses: what, registration })

/** Makes the next attempt due. */
const wait = () => at.database.pool.query(`UPDATE pay_bill_addresses SET next_attempt_at = now()`)

test('one of two workers that start at the same moment registers the addresses, once and for good', async () => {
  const both = await Promise.all([begin(), begin()])
  expect(both.map(({ due }) => due).sort()).toEqual([false, true])
  await record('PAY_BILL_REGISTRATION_REGISTERED')
  const another = await at.another({ payBillNumberKey })
  expect(await another.ledger.beginPayBillRegistration({ addresses })).toEqual({ due: false })
})

test('registers changed addresses again, and ignores a late answer about the earlier ones', async () => {
  await begin()
  await record('PAY_BILL_REGISTRATION_REGISTERED')
  const changed = addressesOf('two')
  expect(await begin(changed)).toEqual({ due: true })
  await record('PAY_BILL_REGISTRATION_REGISTERED', addresses)
  expect((await begin(changed)).waitSeconds).toBeGreaterThan(0)
  await record('PAY_BILL_REGISTRATION_REGISTERED', changed)
  expect(await begin(changed)).toEqual({ due: false })
  expect(await begin(addresses)).toEqual({ due: true })
})

test('a registration whose worker died is begun by another worker after a minute', async () => {
  await begin()
  const { due, waitSeconds } = await begin()
  expect([due, Math.ceil(waitSeconds ?? 0)]).toEqual([false, 60])
  await wait()
  expect(await begin()).toEqual({ due: true })
})

test.each([
  ['no addresses', undefined],
  ['no short code', { ...addresses, shortCode: '' }],
  ['no digest', { ...addresses, digest: Buffer.alloc(0) }],
])('refuses %s', async (_, refused) => {
  await expect(at.ledger.beginPayBillRegistration({ addresses: refused })).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})
