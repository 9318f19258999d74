import type { Rail } from '@malipo/kernel/countries'
import {
  type Changes,
  failed,
  settled,
  decide,
  declined,
  query,
  receipt,
  pending,
  now,
} from './decide-evidence.harness'
import { later, type Fact } from './state'
import { decideStoring } from './decide-evidence'

test('a valid receipt posts the money once, completes the intent and marks the message as applied', () => {
  const { applied, writes } = decide(receipt({ paidAt: new Date(1_799_999_999_000) }))
  expect(applied).toEqual({
    ...{
      result: 'settled',
      status: 'completed',
      statusBefore: 'pending',
      kind: 'callback',
    },
    ...{ strength: 'E3', disposition: 'merchant' },
  })
  expect(writes?.transfers).toEqual([
    {
      ...{
        eventKey: 'receipt:mpesa:R1',
        leg: 0,
        debit: 'float:mpesa',
        credit: 'wallet:acc_1',
      },
      ...{ minor: 50_000n, eventAt: 1_799_999_999_000_000 },
    },
  ])
  expect(writes?.intent).toEqual({
    ...pending,
    ...{
      status: 'completed',
      event: 'confirmed',
      endedAt: now,
      deadlineAt: null,
    },
    ...{
      nextActionAt: null,
      queryAt: null,
      settledMinor: 50_000n,
      receipt: 'R1',
    },
    ...{ settledAt: now, disposition: 'merchant' },
  })
  expect(writes?.message).toEqual({
    ...{
      id: 'pm_1',
      fact: 'receipt',
      strength: 'E3',
      result: 'settled',
      receipt: 'R1',
    },
  })
  expect([writes?.matched, writes?.suspense, writes?.report]).toEqual(Array(3).fill(undefined))
})

test.each<[string, Fact, Changes, string, string | null]>([
  ['of another amount is kept', receipt({ amountMinor: 49_900n }), {}, 'kept', null],
  [
    'of another amount in a statement row is held',
    receipt({ amountMinor: 1n }),
    { message: { kind: 'statement_row' } },
    'settled',
    'suspense_mismatch',
  ],
  ['with another prompt id is kept', receipt({ providerRequestId: 'ws_2' }), {}, 'kept', null],
  ['without a prompt id is kept', receipt({ providerRequestId: undefined }), {}, 'kept', null],
  [
    'without a prompt id in a query answer settles',
    receipt({ providerRequestId: undefined }),
    { message: query },
    'settled',
    'merchant',
  ],
  [
    'with another prompt id in a query answer is kept',
    receipt({ providerRequestId: 'ws_2' }),
    { message: query },
    'kept',
    null,
  ],
  [
    'without an amount in a query answer settles',
    receipt({ amountMinor: undefined }),
    { message: query },
    'settled',
    'merchant',
  ],
  [
    'with a prompt id settles where we do not know the id yet',
    receipt(),
    { intent: { providerRequestId: null } },
    'settled',
    'merchant',
  ],
  ['from an unlisted IP is kept', receipt(), { message: { isSourceKnown: false } }, 'kept', null],
  [
    'from an unlisted IP and of another amount is kept',
    receipt({ amountMinor: 1n }),
    { message: { isSourceKnown: false } },
    'kept',
    null,
  ],
  ['in a hint is kept', receipt(), { message: { kind: 'hint' } }, 'kept', null],
  ['for a frozen wallet is held', receipt(), { wallet: 'frozen' }, 'settled', 'suspense_unmatched'],
  ['of a duplicate is held', receipt(), { isCheckoutPaid: true }, 'settled', 'suspense_duplicate'],
  [
    'that is the second for an attempt to pay a handle is held',
    receipt(),
    { intent: { ...settled, checkoutId: null } },
    'settled',
    'suspense_duplicate',
  ],
  ['that is posted is settled already', receipt(), { isPosted: true }, 'already_settled', null],
  [
    'for an intent that was never sent contradicts',
    receipt(),
    { intent: { status: 'reserved' } },
    'contradiction',
    null,
  ],
  ['settles after a "declined"', receipt(), { intent: failed }, 'settled', 'merchant'],
  [
    'settles up to the most that a callback is credited for',
    receipt({ amountMinor: 100_000n }),
    { intent: { askedMinor: 100_000n } },
    'settled',
    'merchant',
  ],
  [
    'is kept above the most that a callback is credited for',
    receipt({ amountMinor: 100_001n }),
    { intent: { askedMinor: 100_001n } },
    'kept',
    null,
  ],
  [
    'settles above that most once a query was answered "paid"',
    receipt({ amountMinor: 100_001n }),
    { intent: { askedMinor: 100_001n, receiptWanted: true } },
    'settled',
    'merchant',
  ],
  [
    'settles above that most when a query answer names it',
    receipt({ amountMinor: 100_001n }),
    { intent: { askedMinor: 100_001n }, message: query },
    'settled',
    'merchant',
  ],
])('a receipt %s', (_, ...[fact, changes, result, disposition]) => {
  expect(decide(fact, changes).applied).toMatchObject({ result, disposition })
})

test('a second receipt of one intent is held in suspense, with a new intent', () => {
  const { writes } = decide(receipt(), {
    intent: settled,
    isCheckoutPaid: true,
  })
  expect(writes?.intent).toBeUndefined()
  expect(writes?.matched).toMatchObject({
    ...{
      id: 'pi_new',
      checkoutId: 'cs_1',
      phone: '254708374149',
      status: 'completed',
    },
    ...{ event: 'matched', receipt: 'R1', settledMinor: 50_000n },
  })
  expect(writes?.suspense).toEqual({
    ...{
      eventKey: 'receipt:mpesa:R1',
      reason: 'duplicate',
      intentId: 'pi_new',
      minor: 50_000n,
    },
  })
})

test.each([
  ['another receipt', receipt(), false, 'contradiction'],
  ['another receipt, of another amount', receipt({ amountMinor: 1n }), false, 'contradiction'],
  ['another receipt, which the journal has', receipt(), true, 'contradiction'],
  ['the same receipt', receipt({ receipt: 'R0' }), true, 'already_settled'],
])('for an intent that operators have posted by hand, %s posts nothing', (...row) => {
  const [, fact, isPosted, result] = row
  const changes = { intent: settled, isCheckoutPaid: true, isPostedByHand: true, isPosted }
  const { applied, writes } = decide(fact, { ...changes, message: query })
  expect(applied).toMatchObject({ result, disposition: null })
  expect([writes?.transfers, writes?.matched]).toEqual([[], undefined])
})

test('a card payment credits the amount to the merchant and the fee to us; in suspense both are held', () => {
  const card = { feeMinor: 1_800n, expiresAt: later(now, 60) }
  const changes = { card, intent: { rail: 'card' }, message: query } as const
  const paid = decide(receipt({ amountMinor: 51_800n }), changes)
  expect(paid.writes?.transfers).toMatchObject([
    { leg: 0, debit: 'float:card', credit: 'wallet:acc_1', minor: 50_000n },
    { leg: 1, debit: 'float:card', credit: 'fee:card', minor: 1_800n },
  ])
  expect(paid.writes?.intent?.settledMinor).toBe(50_000n)
  const held = decide(receipt({ amountMinor: 51_800n }), {
    ...changes,
    wallet: 'frozen',
  })
  expect(held.writes?.transfers).toMatchObject([{ credit: 'suspense:unmatched', minor: 51_800n }])
})

const denied = { deniedCode: '1032', deniedAt: later(now, -20) }

test.each<[string, Changes, string | null]>([
  ['a callback in order', {}, 'cancelled'],
  ['an answer that confirms a hint', { message: query, declinedHint: 'known_source' }, 'cancelled'],
  ['two answers that agree', { message: query, intent: denied }, 'unconfirmed'],
  [
    'a callback in order, but the prompt was never sent',
    { intent: { cause: 'not_started' } },
    'not_started',
  ],
])('an expired intent takes the cause of a conclusive "declined": %s', (_, changes, cause) => {
  const { applied, writes } = decide(
    { ...declined, providerRequestId: 'ws_1' },
    {
      ...changes,
      intent: {
        ...failed,
        status: 'expired',
        event: 'lapsed',
        cause: 'unconfirmed',
        ...changes.intent,
      },
    },
  )
  expect(applied).toMatchObject({ result: 'kept', status: 'expired' })
  expect(writes?.intent).toMatchObject({ status: 'expired', event: 'lapsed', cause, queryAt: null })
  expect(writes?.paymentEvent).toBeUndefined()
})

test('a message that was applied before writes nothing', () => {
  const message = { result: 'failed', strength: 'E3' } as const
  expect(decide(receipt(), { message })).toEqual({
    applied: {
      ...{
        result: 'failed',
        strength: 'E3',
        disposition: null,
        kind: 'callback',
      },
      ...{ status: 'pending', statusBefore: 'pending' },
    },
  })
})

const rails = ['mpesa', 'paybill', 'mtn_momo', 'airtel_money', 'card'] as const satisfies Rail[]

test('a repeated callback is only counted, and a callback needs a secret unless its rail sends hints', () => {
  const lines = rails.flatMap((rail) =>
    [true, false].map((hasSecret) => {
      const { kind, ...flags } = decideStoring(rail, { kind: 'callback', hasSecret })
      const which = Object.entries(flags).flatMap(([name, holds]) => (holds ? [name] : []))
      return `${rail}, ${hasSecret ? 'with' : 'without'} a secret: ${kind}, ${which.join(', ')}`
    }),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
"
mpesa, with a secret: callback, needsSecret, isCounted, isBound
mpesa, without a secret: callback, needsSecret, isCounted
paybill, with a secret: callback, needsSecret, isCounted, isBound
paybill, without a secret: callback, needsSecret, isCounted
mtn_momo, with a secret: hint, needsSecret, isCounted, isBound
mtn_momo, without a secret: hint, isCounted
airtel_money, with a secret: hint, needsSecret, isCounted, isBound
airtel_money, without a secret: hint, isCounted
card, with a secret: hint, needsSecret, isCounted, isBound
card, without a secret: hint, isCounted, isBound
"
`)
})

test.each(rails)(
  'a status answer about an attempt by %s is stored each time, also when it is the same',
  (rail) => {
    for (const kind of ['query_answer', 'statement_row'] as const) {
      const stored = { kind, needsSecret: false, isCounted: false, isBound: true }
      expect(decideStoring(rail, { kind, hasSecret: false })).toEqual(stored)
    }
  },
)
