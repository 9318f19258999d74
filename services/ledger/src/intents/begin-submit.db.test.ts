import { IntentStatus, type Prompt, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { cards } from '../cards/cards.harness'
import { ledgerOfFile } from '../ledger.harness'
import { hold } from '../locks.harness'
import { present, unique, uniquePhone } from '../payments.harness'
import { letPass, past } from '../time.harness'

const at = ledgerOfFile()
const { pay } = at

async function started(phone = uniquePhone()): Promise<string> {
  const { checkoutId } = await pay.checkout()
  return present((await pay.start(checkoutId, { phone })).intent).intentId
}

/** A prompt that is open on a phone, and an intent of another checkout for the same phone. */
async function behindAnother() {
  const phone = uniquePhone()
  const earlier = await pay.checkout()
  const open = await pay.prompted((await pay.start(earlier.checkoutId, { phone })).intent)
  const { checkoutId } = await pay.checkout()
  const queued = present((await pay.start(checkoutId, { phone })).intent).intentId
  return { open, queued, checkoutId }
}

test('hands out a prompt after the decision to send it is stored', async () => {
  const phone = uniquePhone()
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  const { intentId } = present((await pay.start(checkoutId, { phone })).intent)
  const { prompt } = await at.ledger.beginSubmit({ intentId })
  expect(prompt).toEqual({
    intentId,
    accountId,
    rail: Rail.MPESA,
    phone,
    amount: { currency: 'KES', minor: 50_000n },
    attemptReference: expect.stringMatching(/^M[0-9A-Z]{11}$/) as string,
    callbackToken: expect.stringMatching(/^[0-9a-f]{56}$/) as string,
  } satisfies Prompt)
  expect(await pay.status(intentId)).toBe(IntentStatus.SUBMITTED)
  const { rows } = await at.database.pool.query(
    'SELECT rail, outcome FROM wire_attempts WHERE intent_id = $1',
    [intentId],
  )
  expect(rows).toEqual([{ rail: 'mpesa', outcome: null }])
})

test('gives each attempt its own reference and token', async () => {
  const first = await at.ledger.beginSubmit({ intentId: await started() })
  const second = await at.ledger.beginSubmit({ intentId: await started() })
  expect(first.prompt?.callbackToken).not.toBe(second.prompt?.callbackToken)
  expect(first.prompt?.attemptReference).not.toBe(second.prompt?.attemptReference)
})

test('hands a prompt to one of 20 callers at the same moment, and never again', async () => {
  const intentId = await started()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => at.ledger.beginSubmit({ intentId })),
  )
  expect(answers.filter(({ prompt }) => prompt !== undefined)).toHaveLength(1)
  expect(await at.ledger.beginSubmit({ intentId })).toEqual({})
})

test('row 45: hands out no prompt a minute after the payer started the attempt', async () => {
  const intentId = await started()
  await letPass(at.database, 60)
  expect(await at.ledger.beginSubmit({ intentId })).toEqual({})
})

test('fails the attempt and hands out no prompt when its checkout was paid after the start', async () => {
  const { checkoutId } = await pay.checkout()
  const older = await pay.pending(checkoutId)
  await pay.declined(older)
  const { intentId } = present((await pay.start(checkoutId)).intent)
  await pay.paid(older)
  expect(await at.ledger.beginSubmit({ intentId })).toEqual({})
  expect(await pay.status(intentId)).toBe(IntentStatus.FAILED)
})

test.each([
  ['prompt', async (id: string) => pay.start((await pay.checkout({ accountId: id })).checkoutId)],
  ['prompt for a handle', async (id: string) => pay.startHandle(id)],
  [
    'card page',
    async (id: string) => cards(at).start((await pay.checkout({ accountId: id })).checkoutId),
  ],
])(
  'row 46: fails the attempt and hands out no %s when its wallet was frozen meanwhile',
  async (_, start) => {
    const accountId = await pay.merchant(true)
    const { intentId } = present((await start(accountId)).intent)
    const freeze = 'UPDATE wallets SET frozen_at = now() WHERE account_id = $1'
    await at.database.pool.query(freeze, [accountId])
    expect(await at.ledger.beginSubmit({ intentId })).toEqual({})
    const read = `SELECT status, cause, EXISTS (SELECT FROM wire_attempts WHERE intent_id = id) AS "isSent"
      FROM intents WHERE id = $1`
    expect((await at.database.pool.query(read, [intentId])).rows).toEqual([
      { status: 'failed', cause: 'not_started', isSent: false },
    ])
  },
)

test('hands out one of two prompts to one phone that two workers request at the same moment', async () => {
  const second = await at.another()
  for (let round = 0; round < 5; round += 1) {
    const phone = uniquePhone()
    const [one, other] = [await started(phone), await started(phone)]
    const answers = await Promise.all([
      at.ledger.beginSubmit({ intentId: one }),
      second.ledger.beginSubmit({ intentId: other }),
      second.ledger.beginSubmit({ intentId: one }),
      at.ledger.beginSubmit({ intentId: other }),
    ])
    expect(answers.filter(({ prompt }) => prompt !== undefined)).toHaveLength(1)
  }
})

test('sends three prompts to a phone in the order in which they were created, whichever worker asks first', async () => {
  const second = await at.another()
  const phone = uniquePhone()
  const ids = [await started(phone), await started(phone), await started(phone)]
  const sent: (string | undefined)[] = []
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all(
      ids
        .flatMap((intentId) => [
          at.ledger.beginSubmit({ intentId }),
          second.ledger.beginSubmit({ intentId }),
        ])
        .toReversed(),
    )
    sent.push(...answers.flatMap(({ prompt }) => prompt?.intentId ?? []))
    expect(sent).toHaveLength(round + 1)
    const outcome = { $case: 'notSent', value: { detail: 'ECONNREFUSED' } } as const
    await at.ledger.recordSubmit({ intentId: sent[round] ?? '', outcome })
  }
  expect(sent).toEqual(ids)
})

test.each([
  ['whose deadline has passed', 'deadline_at = clock_timestamp()'],
  ['that has waited as long as it may', `created_at = created_at - interval '90 seconds'`],
])('a prompt does not wait for an earlier one %s', async (_, change) => {
  const phone = uniquePhone()
  const earlier = await started(phone)
  const intentId = await started(phone)
  expect(await at.ledger.beginSubmit({ intentId })).toEqual({})
  await past(at.database, async (query) => {
    await query(`UPDATE intents SET ${change} WHERE id = $1`, [earlier])
  })
  expect((await at.ledger.beginSubmit({ intentId })).prompt).toMatchObject({ intentId })
})

test('a prompt does not wait for an earlier one whose checkout was paid', async () => {
  const phone = uniquePhone()
  const { checkoutId } = await pay.checkout()
  const older = await pay.pending(checkoutId)
  await pay.declined(older)
  await pay.start(checkoutId, { phone })
  const intentId = await started(phone)
  expect(await at.ledger.beginSubmit({ intentId })).toEqual({})
  await pay.paid(older)
  expect((await at.ledger.beginSubmit({ intentId })).prompt).toMatchObject({ intentId })
})

test('sends a queued prompt once, after the one before it on the phone has ended', async () => {
  const { open, queued } = await behindAnother()
  expect(await at.ledger.beginSubmit({ intentId: queued })).toEqual({})
  await letPass(at.database, 1)
  const { due } = await at.ledger.claimDue({ limit: 500 })
  expect(due.map(({ work }) => work)).toContainEqual({ $case: 'submitIntentId', value: queued })
  await pay.declined(open)
  expect((await at.ledger.beginSubmit({ intentId: queued })).prompt).toMatchObject({
    intentId: queued,
  })
  expect(await at.ledger.beginSubmit({ intentId: queued })).toEqual({})
})

test('sends a queued prompt once the one before it must have closed on the phone, also when its outcome is unknown', async () => {
  const { queued } = await behindAnother()
  expect(await at.ledger.beginSubmit({ intentId: queued })).toEqual({})
  await letPass(at.database, 59)
  expect(await at.ledger.beginSubmit({ intentId: queued })).toEqual({})
  await letPass(at.database, 1)
  expect((await at.ledger.beginSubmit({ intentId: queued })).prompt).toBeDefined()
})

test('a prompt that its provider accepted late keeps the phone as long as it is open there', async () => {
  const phone = uniquePhone()
  const open = await started(phone)
  await at.ledger.beginSubmit({ intentId: open })
  await letPass(at.database, 30)
  const outcome = { $case: 'accepted', value: { providerRequestId: unique('ws_CO_') } } as const
  await at.ledger.recordSubmit({ intentId: open, outcome })
  const intentId = await started(phone)
  await letPass(at.database, 31)
  expect(await at.ledger.beginSubmit({ intentId })).toEqual({})
  await letPass(at.database, 29)
  expect((await at.ledger.beginSubmit({ intentId })).prompt).toBeDefined()
})

test('tells the payer that a prompt is queued, and until when it waits', async () => {
  const { queued, checkoutId } = await behindAnother()
  const attempt = async () => (await at.ledger.readCheckout({ checkoutId })).checkout?.attempt
  expect(await attempt()).toMatchObject({ queued: false })
  await at.ledger.beginSubmit({ intentId: queued })
  expect(await attempt()).toMatchObject({ status: IntentStatus.RESERVED, queued: true })
  await letPass(at.database, 61)
  expect((await at.ledger.beginSubmit({ intentId: queued })).prompt).toBeDefined()
  expect(await attempt()).toMatchObject({ status: IntentStatus.SUBMITTED, queued: false })
})

test('fails a queued prompt after 90 seconds while another prompt is open on the phone', async () => {
  const phone = uniquePhone()
  const earlier = await started(phone)
  const queued = await started(phone)
  await letPass(at.database, 31)
  expect((await at.ledger.beginSubmit({ intentId: earlier })).prompt).toBeDefined()
  expect(await at.ledger.beginSubmit({ intentId: queued })).toEqual({})
  await letPass(at.database, 58)
  expect(await at.ledger.beginSubmit({ intentId: queued })).toEqual({})
  expect(await pay.status(queued)).toBe(IntentStatus.RESERVED)
  await letPass(at.database, 1)
  expect(await at.ledger.beginSubmit({ intentId: queued })).toEqual({})
  expect(await pay.status(queued)).toBe(IntentStatus.FAILED)
})

test('hands out nothing for an unknown intent', async () => {
  expect(await at.ledger.beginSubmit({ intentId: `pi_${'0'.repeat(24)}` })).toEqual({})
})

test.each([
  ['prompt', (checkoutId: string) => pay.start(checkoutId)],
  ['card page', (checkoutId: string) => cards(at).start(checkoutId)],
])('hands out no %s while an earlier attempt pays the checkout', async (_, start) => {
  const accountId = await pay.merchant(true)
  const { checkoutId } = await pay.checkout({ accountId })
  const older = await pay.pending(checkoutId)
  await pay.declined(older)
  const { intentId } = present((await start(checkoutId)).intent)
  const held = await hold(at, 'intents', older.intentId)
  const paid = pay.paid(older)
  // The payment of the earlier attempt has locked the checkout, and waits for the lock of its intent.
  await held.untilWaiting(1)
  const begun = at.ledger.beginSubmit({ intentId })
  await Promise.race([begun, held.untilWaiting(2)])
  await held.letGo()
  await paid
  expect(await begun).toEqual({})
  expect(await pay.status(intentId)).toBe(IntentStatus.FAILED)
})

test('hands out a prompt to one caller after another transaction has released its lock', async () => {
  const intentId = await started()
  const held = await hold(at, 'intents', intentId)
  const begun = [at.ledger.beginSubmit({ intentId }), at.ledger.beginSubmit({ intentId })]
  await held.untilWaiting(2)
  await held.letGo()
  const answers = await Promise.all(begun)
  expect(answers.filter(({ prompt }) => prompt !== undefined)).toHaveLength(1)
})

test('hands out many prompts at the same moment, without waiting for one that is locked', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => started()))
  const [heldId = '', ...free] = ids
  const held = await hold(at, 'intents', heldId)
  const first = at.ledger.beginSubmit({ intentId: heldId })
  await held.untilWaiting(1)
  const prompts = await Promise.all(free.map((intentId) => at.ledger.beginSubmit({ intentId })))
  expect(prompts.map(({ prompt }) => prompt?.intentId)).toEqual(free)
  await held.letGo()
  expect((await first).prompt?.intentId).toBe(heldId)
})

test('a prompt that cannot be stored fails alone among many at the same moment, and is not handed out', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => started()))
  const broken = ids[7] ?? ''
  await at.database.pool.query(`
    CREATE FUNCTION refuse_call() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER refuse_call BEFORE INSERT ON wire_attempts
      FOR EACH ROW WHEN (new.intent_id = '${broken}') EXECUTE FUNCTION refuse_call()`)
  const answers = await Promise.allSettled(
    ids.map((intentId) => at.ledger.beginSubmit({ intentId })),
  )
  const handedOut = answers.map((answer) =>
    answer.status === 'fulfilled' ? answer.value.prompt?.intentId : 'failed',
  )
  expect(handedOut).toEqual(ids.map((id) => (id === broken ? 'failed' : id)))
  expect(await pay.status(broken)).toBe(IntentStatus.RESERVED)
})

test('hands out one of two prompts to one phone in a batch, and queues the other', async () => {
  const phone = uniquePhone()
  const ids = [await started(phone), await started(phone), await started(), await started()]
  const answers = await Promise.all(ids.map((intentId) => at.ledger.beginSubmit({ intentId })))
  expect(answers.filter(({ prompt }) => prompt?.phone === phone)).toHaveLength(1)
  expect(answers.filter(({ prompt }) => prompt === undefined)).toHaveLength(1)
})
