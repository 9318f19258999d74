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
  expect([writes?.born, writes?.suspense, writes?.report]).toEqual(Array(3).fill(undefined))
})

test.each<[string, Fact, Changes, string, string | null]>([
  ['another amount', receipt({ amountMinor: 49_900n }), {}, 'kept', null],
  [
    'another amount of a statement',
    receipt({ amountMinor: 1n }),
    { message: { kind: 'statement_row' } },
    'settled',
    'suspense_mismatch',
  ],
  ['another request', receipt({ providerRequestId: 'ws_2' }), {}, 'kept', null],
  ['no request of a callback', receipt({ providerRequestId: undefined }), {}, 'kept', null],
  [
    'no request of a query',
    receipt({ providerRequestId: undefined }),
    { message: query },
    'settled',
    'merchant',
  ],
  [
    'another request of a query',
    receipt({ providerRequestId: 'ws_2' }),
    { message: query },
    'kept',
    null,
  ],
  [
    'no amount of a query',
    receipt({ amountMinor: undefined }),
    { message: query },
    'settled',
    'merchant',
  ],
  [
    'a request whose id is not known yet',
    receipt(),
    { intent: { providerRequestId: null } },
    'settled',
    'merchant',
  ],
  ['an unlisted address', receipt(), { message: { isSourceKnown: false } }, 'kept', null],
  [
    'an unlisted address and another amount',
    receipt({ amountMinor: 1n }),
    { message: { isSourceKnown: false } },
    'kept',
    null,
  ],
  ['a hint', receipt(), { message: { kind: 'hint' } }, 'kept', null],
  ['a frozen wallet', receipt(), { wallet: 'frozen' }, 'settled', 'suspense_unmatched'],
  ['a paid checkout', receipt(), { isCheckoutPaid: true }, 'settled', 'suspense_duplicate'],
  [
    'a second receipt of a handle',
    receipt(),
    { intent: { ...settled, checkoutId: null } },
    'settled',
    'suspense_duplicate',
  ],
  ['a posted receipt', receipt(), { isPosted: true }, 'already_settled', null],
  [
    'an intent that was never sent',
    receipt(),
    { intent: { status: 'reserved' } },
    'contradiction',
    null,
  ],
  ['money after a "no"', receipt(), { intent: failed }, 'settled', 'merchant'],
  [
    'as much as a callback may',
    receipt({ amountMinor: 100_000n }),
    { intent: { askedMinor: 100_000n } },
    'settled',
    'merchant',
  ],
  [
    'more than a callback may',
    receipt({ amountMinor: 100_001n }),
    { intent: { askedMinor: 100_001n } },
    'kept',
    null,
  ],
  [
    'more, and the query answered "paid"',
    receipt({ amountMinor: 100_001n }),
    { intent: { askedMinor: 100_001n, receiptWanted: true } },
    'settled',
    'merchant',
  ],
  [
    'more, of a query',
    receipt({ amountMinor: 100_001n }),
    { intent: { askedMinor: 100_001n }, message: query },
    'settled',
    'merchant',
  ],
])('a receipt settles only in order: with %s', (_, ...[fact, changes, result, disposition]) => {
  expect(decide(fact, changes).applied).toMatchObject({ result, disposition })
})

test('a second receipt of one intent is held in suspense, with a new intent', () => {
  const { writes } = decide(receipt(), {
    intent: settled,
    isCheckoutPaid: true,
  })
  expect(writes?.intent).toBeUndefined()
  expect(writes?.born).toMatchObject({
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
])('of an intent that operators have posted by hand, %s posts nothing', (...row) => {
  const [, fact, isPosted, result] = row
  const changes = { intent: settled, isCheckoutPaid: true, isPostedByHand: true, isPosted }
  const { applied, writes } = decide(fact, { ...changes, message: query })
  expect(applied).toMatchObject({ result, disposition: null })
  expect([writes?.transfers, writes?.born]).toEqual([[], undefined])
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
    'a callback in order, of one that was not sent',
    { intent: { cause: 'not_started' } },
    'not_started',
  ],
])('an expired intent takes the cause of a sure "declined": %s', (_, changes, cause) => {
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

test('a callback is counted when repeated, and needs a secret unless its rail sends hints', () => {
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
