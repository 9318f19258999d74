import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { ProviderMessageKind } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { settledInvariants } from '../invariants.harness'
import { openLedger, type TestLedger } from '../ledger.harness'
import { operators } from '../operators/operators.harness'
import { payBill, payBillNumberKey } from '../pay-bill/pay-bill.harness'
import { confirmed, declined, fingerprint, type Pending } from '../payments.harness'
import { letPass, past } from '../time.harness'
import { detaching, longAgoSeconds } from './detached.harness'
import { missingOf } from './store/copy-mark'

// Payments of long ago, whose steps and message bodies were moved to a file: everything else has to be as it was.

let at: TestLedger
let files: ReturnType<typeof detaching>
let month: string
let accountId: string
let checkoutId: string
let paid: Pending
let late: Pending
/** The ids of payments with something open, by what is open: held money, a refund or a parked message. */
let open: Record<string, string>
let before: unknown

const receipt = 'OLD0000001'
const create = () =>
  at.ledger.createCheckout({
    accountId,
    fingerprint,
    amountMinor: 50_000n,
    idempotencyKey: 'old create',
  })
const start = () => at.pay.start(checkoutId, { phone: '254700000001', key: 'old pay' })
/** Sends the callback of long ago once more. */
const repeated = () => at.pay.paid(paid, { receipt })
const everyPosting = async () =>
  (await at.database.pool.query('SELECT * FROM transfers ORDER BY event_key, leg')).rows

async function readOld() {
  const { checkout } = await at.ledger.retrieveCheckout({ accountId, checkoutId })
  const { checkout: payerView } = await at.ledger.readCheckout({ checkoutId })
  const { intent } = await at.ledger.readIntent({ intentId: paid.intentId })
  const replays = [await create(), await start()]
  return { checkout, payerView, intent, replays, repeated: await repeated() }
}

async function makeOpen(): Promise<typeof open> {
  const by = operators(at)
  await by.enroll()
  const suspense = await by.mismatch()
  const refunded = await by.paid()
  await by.requestedRefund(refunded.subject)
  const parked = await at.pay.pending((await at.pay.checkout()).checkoutId)
  const messageId = await at.pay.callback(parked.callbackToken, { body: Buffer.from('?') })
  await at.ledger.applyEvidence({
    messageId,
    fact: { $case: 'unreadable', value: { detail: '?' } },
  })
  await at.pay.declined(parked)
  return {
    'money in suspense': suspense.intentId,
    'a refund that is asked for': refunded.intentId,
    'a parked message': parked.intentId,
  }
}

async function leftOfOpen() {
  const left = Object.entries(open).map(async ([what, intentId]) => [
    what,
    await files.left([intentId]),
  ])
  return Object.fromEntries(await Promise.all(left)) as unknown
}

beforeAll(async () => {
  at = await openLedger({ payBillNumberKey })
  files = detaching(at.database)
  accountId = await at.pay.merchant()
  checkoutId = (await create()).checkout?.checkoutId ?? ''
  paid = await at.pay.prompted((await start()).intent)
  await at.pay.paid(paid, { receipt })
  late = await at.pay.pending((await at.pay.checkout({ accountId })).checkoutId)
  await at.pay.declined(late)
  await payBill(at.ledger).paid({
    accountNumber: await payBill(at.ledger).number((await at.pay.checkout()).checkoutId),
    amountMinor: 50_000n,
    receipt: 'OLDMENU001',
  })
  open = await makeOpen()
  await letPass(at.database, longAgoSeconds)
  await past(at.database, async (query) => {
    // `letPass` leaves the journal as it is. The audit of the last minute would find transfers without their intents.
    await query('UPDATE transfers SET created_at = created_at - make_interval(secs => $1)', [
      longAgoSeconds,
    ])
  })
  before = await readOld()
  month = await files.month()
  await files.detach(month)
})

afterAll(async () => {
  await at.close()
  files.end()
})

test('the steps and bodies of finished payments are in the file, and no longer in the database', async () => {
  expect(await files.left([paid.intentId, late.intentId])).toEqual({ steps: 0, bodies: 0 })
  const lines = gunzipSync(readFileSync(files.file(month))).toString()
  const steps = (intentId: string) =>
    lines.split('\n').filter((line) => line.includes(`"step": `) && line.includes(intentId))
  expect(steps(paid.intentId)).toHaveLength(5)
  expect(lines).toContain(Buffer.from(receipt).toString('hex'))
  expect(lines).toContain(Buffer.from('OLDMENU001').toString('hex'))
})

test('a payment with something open keeps its steps and bodies', async () => {
  expect(await leftOfOpen()).toEqual({
    'money in suspense': { steps: 5, bodies: 1 },
    'a refund that is asked for': { steps: 5, bodies: 1 },
    'a parked message': { steps: 5, bodies: 2 },
  })
})

test('an old checkout reads as before, an old key replays, and an old receipt posts nothing', async () => {
  const postings = await everyPosting()
  expect(await readOld()).toEqual(before)
  expect(await everyPosting()).toEqual(postings)
})

test('a callback that is new for a paid attempt of long ago posts nothing', async () => {
  const postings = await everyPosting()
  const messageId = await at.pay.callback(paid.callbackToken, { body: Buffer.from('again') })
  const again = await at.ledger.applyEvidence({ messageId, fact: confirmed({ ...paid, receipt }) })
  expect(again).toMatchObject({ status: 'INTENT_STATUS_COMPLETED' })
  const no = await at.pay.callback(paid.callbackToken, { body: Buffer.from('no') })
  expect(
    await at.ledger.applyEvidence({ messageId: no, fact: declined(paid.providerRequestId) }),
  ).toMatchObject({ status: 'INTENT_STATUS_COMPLETED' })
  expect(await everyPosting()).toEqual(postings)
})

test('the timeline of an old payment is made of what its attempt has stored', async () => {
  const { attempts } = await at.ledger.readTimeline({ accountId, checkoutId })
  expect(attempts[0]?.steps.map(({ status }) => status)).toEqual([
    'INTENT_STATUS_CREATED',
    'INTENT_STATUS_SUBMITTED',
    'INTENT_STATUS_COMPLETED',
  ])
})

test('late money completes an attempt of long ago, and the audits of database and files hold', async () => {
  await at.pay
    .fetched(late.intentId, ProviderMessageKind.STATEMENT_ROW)
    .then((messageId) =>
      at.ledger.applyEvidence({ messageId, fact: confirmed({ ...late, receipt: 'OLDLATE001' }) }),
    )
  expect(await at.pay.status(late.intentId)).toBe('INTENT_STATUS_COMPLETED')
  expect(await settledInvariants(at.database)).toEqual({})
  for (const sinceSeconds of [undefined, 60, 2 * longAgoSeconds]) {
    const { findings } = await at.ledger.audit({ sinceSeconds })
    expect(findings.filter(({ rows }) => rows !== 0)).toEqual([])
  }
  expect(await files.broken()).toEqual({})
})

test('the audit of the files finds a step that does not follow the last one in the file', async () => {
  await at.database.pool.query(
    `INSERT INTO intent_steps (intent_id, from_status, event, to_status, at)
     VALUES ($1, 'failed', 'confirmed', 'completed', now())`,
    [paid.intentId],
  )
  const broken = await files.broken()
  await past(at.database, async (query) => {
    await query('DELETE FROM intent_steps WHERE intent_id = $1', [paid.intentId])
  })
  expect(broken).toEqual({ 17: [paid.intentId] })
})

test('the owner of the tables can remove nothing more of a month that is detached', async () => {
  const old = "< now() - interval '100 days'"
  const steps = `DELETE FROM intent_steps WHERE at ${old}`
  await expect(at.database.pool.query(steps)).rejects.toMatchObject({ code: '23001' })
  const bodies = `UPDATE provider_messages SET body = '' WHERE body <> '' AND received_at ${old}`
  await expect(at.database.pool.query(bodies)).rejects.toMatchObject({ code: '23001' })
})

test('a database whose marked step was detached is no older copy, and one that lacks a later step is one', async () => {
  const { rows } = await at.database.pool.query<{ madeAt: string }>(
    'SELECT created_at::text AS "madeAt" FROM deployment',
  )
  const madeAt = rows[0]?.madeAt ?? ''
  const lines = gunzipSync(readFileSync(files.file(month)))
    .toString()
    .split('\n')
  const { step } = JSON.parse(lines[1] ?? '') as {
    step: { intent_id: string; step: number; at: string }
  }
  const none = { seal: null, digest: null, place: 0 }
  const marked = { madeAt, ...none, intentId: step.intent_id, step: String(step.step) }
  expect(await missingOf(at.database.pool, { ...marked, at: step.at })).toBeUndefined()
  const { rows: later } = await at.database.pool.query<{ at: string }>('SELECT now()::text AS at')
  expect(await missingOf(at.database.pool, { ...marked, at: later[0]?.at ?? '' })).toMatch(
    'it lacks',
  )
})
