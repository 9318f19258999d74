import { IntentStatus, Rail, StartOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { cards } from './cards.harness'
import { ledgerOfFile } from '../ledger.harness'
import { fingerprint, insist, present, unique, uniquePhone } from '../payments.harness'
import { letPass } from '../time.harness'

const at = ledgerOfFile()
const card = cards(at)

async function fail(intentId: string): Promise<void> {
  await at.ledger.beginSubmit({ intentId })
  const outcome = { $case: 'notSent', value: { detail: 'ECONNREFUSED' } } as const
  await at.ledger.recordSubmit({ intentId, outcome })
}

const payerOf = async (intentId: string): Promise<unknown> => {
  const found = await at.database.pool.query<{ sealed_payer: Buffer | null }>(
    'SELECT sealed_payer FROM card_sessions WHERE intent_id = $1',
    [intentId],
  )
  return found.rows[0]?.sealed_payer
}

test('reserves an attempt of the amount, with a fee, a total, and fifteen minutes to pay', async () => {
  const { checkoutId } = await card.checkout()
  const { intent, outcome, session } = await card.start(checkoutId, { phone: '254708374149' })
  expect([outcome, intent]).toEqual([
    StartOutcome.STARTED,
    {
      intentId: expect.stringMatching(/^pi_[0-9a-f]{24}$/) as string,
      status: IntentStatus.RESERVED,
      amount: { currency: 'KES', minor: 50_000n },
      rail: Rail.CARD,
    },
  ])
  expect(session).toMatchObject({ feeMinor: 1_800n, totalMinor: 51_800n })
  const { rows } = await at.database.pool.query<{ seconds: number }>(
    'SELECT extract(epoch FROM $1 - created_at)::float8 AS seconds FROM intents WHERE id = $2',
    [session?.expiresAt, intent?.intentId],
  )
  expect(rows[0]?.seconds).toBeCloseTo(900, 1)
})

test('shows the merchant the phone that the payer gave, if any', async () => {
  const phones = [uniquePhone(), undefined]
  for (const phone of phones) {
    const { checkoutId, accountId } = await card.checkout()
    await card.start(checkoutId, phone === undefined ? {} : { phone })
    const { checkout } = await at.ledger.retrieveCheckout({ accountId, checkoutId })
    expect(checkout?.payment?.phone).toBe(phone)
  }
})

test('a repeated key returns the same attempt, while it runs and after it has ended', async () => {
  const { checkoutId } = await card.checkout()
  const key = { idempotencyKey: unique('key-') }
  const first = await card.start(checkoutId, key)
  const again = await card.start(checkoutId, key)
  expect(again).toEqual({ ...first, outcome: StartOutcome.REPLAYED })
  await fail(present(first.intent).intentId)
  const later = await card.start(checkoutId, key)
  expect([later.outcome, later.intent?.status]).toEqual([
    StartOutcome.REPLAYED,
    IntentStatus.FAILED,
  ])
  await expect(
    card.start(checkoutId, { ...key, fingerprint: Buffer.alloc(32, 8) }),
  ).rejects.toMatchObject({ reason: 'idempotency_mismatch' })
})

test('a key that the mobile route has used starts a new attempt on the card route', async () => {
  const { checkoutId } = await card.checkout()
  const idempotencyKey = unique('key-')
  const { intent } = await at.pay.start(checkoutId, { key: idempotencyKey })
  await fail(present(intent).intentId)
  const { outcome } = await card.start(checkoutId, { idempotencyKey })
  expect(outcome).toBe(StartOutcome.STARTED)
})

describe('starting an attempt by card is refused', () => {
  test('for an unknown checkout, and one whose wallet is frozen', async () => {
    const unknown = 'cs_ke_000000000000000000000000'
    await expect(card.start(unknown)).rejects.toMatchObject({ reason: 'checkout_not_found' })
    const { checkoutId, accountId } = await card.checkout()
    await at.database.pool.query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [
      accountId,
    ])
    await expect(card.start(checkoutId)).rejects.toMatchObject({ reason: 'checkout_not_found' })
  })

  test('when the account takes no cards, and for an amount with cents', async () => {
    const { checkoutId } = await at.pay.checkout()
    await expect(card.start(checkoutId)).rejects.toMatchObject({ reason: 'card_off' })
    const cents = await card.checkout(50_050n)
    await expect(card.start(cents.checkoutId)).rejects.toMatchObject({ reason: 'card_off' })
  })

  test('in a country without cards', async () => {
    const { ledger } = await at.another({ rails: ['mpesa'] })
    const { checkoutId } = await card.checkout()
    const request = { checkoutId, idempotencyKey: unique('key-'), fingerprint }
    await expect(ledger.startCardIntent(request)).rejects.toMatchObject({ reason: 'card_off' })
    expect((await ledger.readCheckout({ checkoutId })).checkout?.card).toBeUndefined()
  })

  test('while a prompt is in flight; a prompt for a checkout with a card attempt returns that attempt', async () => {
    const { checkoutId } = await card.checkout()
    await at.pay.start(checkoutId)
    await expect(card.start(checkoutId)).rejects.toMatchObject({ reason: 'payment_in_progress' })

    const other = await card.checkout()
    const { intent } = await card.start(other.checkoutId)
    const attached = await at.pay.start(other.checkoutId)
    expect([attached.outcome, attached.intent?.intentId]).toEqual([
      StartOutcome.IN_PROGRESS,
      intent?.intentId,
    ])
  })

  test('when the checkout is paid, also that of an account that takes no cards any more', async () => {
    const { checkoutId, accountId } = await card.checkout()
    await at.pay.paid(await at.pay.pending(checkoutId))
    await at.ledger.openWallet({ accountId, cardEnabled: false })
    await expect(card.start(checkoutId)).rejects.toMatchObject({ reason: 'checkout_paid' })
  })

  test('with "cards are off" before "in progress", and with "in progress" before "expired"', async () => {
    const { checkoutId, accountId } = await card.checkout()
    await at.pay.start(checkoutId)
    await at.ledger.openWallet({ accountId, cardEnabled: false })
    await expect(card.start(checkoutId)).rejects.toMatchObject({ reason: 'card_off' })
    await at.ledger.openWallet({ accountId, cardEnabled: true })
    await expect(card.start(checkoutId)).rejects.toMatchObject({ reason: 'payment_in_progress' })
    await letPass(at.database, 1_801)
    await eventually('the attempt has ended', async () => {
      const refusal: unknown = await card.start(checkoutId).catch((error: unknown) => error)
      return (refusal as { reason?: string }).reason === 'checkout_expired'
    })
  })

  test('the eleventh time within an hour, whatever prompts were sent', async () => {
    const { checkoutId } = await card.checkout()
    const byPhone = await at.pay.start(checkoutId)
    await fail(present(byPhone.intent).intentId)
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const { intent } = await card.start(checkoutId)
      await fail(present(intent).intentId)
    }
    await expect(card.start(checkoutId)).rejects.toMatchObject({ reason: 'rate_limited' })
  })
})

test('attempts by card do not count toward the prompt limit of a phone', async () => {
  const phone = uniquePhone()
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const { checkoutId } = await card.checkout()
    await card.start(checkoutId, { phone })
  }
  const { checkoutId } = await card.checkout()
  expect((await at.pay.start(checkoutId, { phone })).outcome).toBe(StartOutcome.STARTED)
})

test('fifty calls for one checkout at the same moment start one attempt', async () => {
  const { checkoutId } = await card.checkout()
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () =>
      insist(() => card.start(checkoutId)).then(
        () => 'started',
        (error: unknown) => (error as { reason?: string }).reason,
      ),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(1)
  expect(new Set(outcomes)).toEqual(new Set(['started', 'payment_in_progress']))
})

describe('the name and email that the payer gives for the card gateway', () => {
  const sealedPayer = Buffer.from('sealed')

  test('are handed out once with the charge, and deleted by the same commit', async () => {
    const { checkoutId } = await card.checkout()
    const { intent } = await card.start(checkoutId, { sealedPayer })
    const { intentId } = present(intent)
    expect(await payerOf(intentId)).toEqual(sealedPayer)
    const { prompt } = await at.ledger.beginSubmit({ intentId })
    expect(prompt).toMatchObject({
      rail: Rail.CARD,
      attemptReference: '',
      callbackToken: '',
      card: { checkoutId, totalMinor: 51_800n, lifeSeconds: 900, sealedPayer },
    })
    expect(await payerOf(intentId)).toBeNull()
    expect((await at.ledger.beginSubmit({ intentId })).prompt).toBeUndefined()
  })

  test('are deleted when the attempt lapses unsent', async () => {
    const { checkoutId } = await card.checkout()
    const { intent } = await card.start(checkoutId, { sealedPayer })
    const { intentId } = present(intent)
    await letPass(at.database, 61)
    await eventually('the attempt has lapsed', async () => (await payerOf(intentId)) === null)
    expect(await at.pay.status(intentId)).toBe(IntentStatus.EXPIRED)
  })
})
