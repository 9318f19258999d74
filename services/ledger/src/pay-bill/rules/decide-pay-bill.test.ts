import { type Intent, later } from '../../evidence/rules/state'
import { type Changes, checkout, decide, intent, now } from './decide-pay-bill.harness'

const noOwner = { checkout: undefined, wallet: undefined }
const handle = {
  ...{
    checkout: undefined,
    wallet: { accountId: 'acc_2', state: 'open' as const },
  },
  fact: { payee: { accountId: 'acc_2', handle: 'Mama-Mboga' } },
}

test.each<[string, Changes, string, string | null, string | null]>([
  ['for a checkout completes it', {}, 'settled', 'merchant', 'completed'],
  [
    'of another amount than the checkout is held',
    { fact: { amountMinor: 49_900n } },
    'settled',
    'suspense_mismatch',
    'completed',
  ],
  [
    'for a paid checkout is held',
    { isCheckoutPaid: true },
    'settled',
    'suspense_duplicate',
    'completed',
  ],
  [
    'for a frozen wallet is held',
    { wallet: { accountId: 'acc_1', state: 'frozen' } },
    'settled',
    'suspense_unmatched',
    'completed',
  ],
  ['without an owner is held', noOwner, 'settled', 'suspense_unmatched', null],
  ['for a handle is credited', handle, 'settled', 'merchant', 'completed'],
  [
    'for a handle and outside the limits is held',
    { ...handle, fact: { ...handle.fact, isWithinLimits: false } },
    'settled',
    'suspense_mismatch',
    'completed',
  ],
  [
    'whose receipt is posted is settled already',
    { postedMinor: 50_000n },
    'already_settled',
    null,
    null,
  ],
  [
    'whose receipt is posted with another amount contradicts',
    { postedMinor: 49_900n },
    'contradiction',
    null,
    null,
  ],
  [
    'that another callback reported in the same way is credited',
    { reports: [{ minor: 50_000n, checkoutId: 'cs_1' }] },
    'settled',
    'merchant',
    'completed',
  ],
  [
    'that another callback reported with another amount is kept',
    { reports: [{ minor: 800_000n, checkoutId: 'cs_1' }] },
    'kept',
    null,
    null,
  ],
  [
    'that another callback reported for another checkout is kept',
    { reports: [{ minor: 50_000n, checkoutId: 'cs_2' }] },
    'kept',
    null,
    null,
  ],
  [
    'on the statement is credited, though a callback reported it differently',
    { message: { kind: 'statement_row' }, reports: [{ minor: 800_000n, checkoutId: null }] },
    'settled',
    'merchant',
    'completed',
  ],
  [
    'above the limit of callbacks is kept',
    { fact: { unconfirmedMaxMinor: 49_999n } },
    'kept',
    null,
    null,
  ],
  [
    'up to the limit of callbacks is credited',
    { fact: { unconfirmedMaxMinor: 50_000n } },
    'settled',
    'merchant',
    'completed',
  ],
  [
    'on the statement is credited above the limit of callbacks',
    {
      fact: { unconfirmedMaxMinor: 49_999n },
      message: { kind: 'statement_row' },
    },
    'settled',
    'merchant',
    'completed',
  ],
  [
    'in a callback without our validation answer is kept',
    { fact: { isSigned: false } },
    'kept',
    null,
    null,
  ],
  [
    'in a callback from an unlisted address is kept',
    { message: { isSourceKnown: false } },
    'kept',
    null,
    null,
  ],
])('Pay Bill money %s', (_, ...[changes, result, disposition, status]) => {
  expect(decide(changes).applied).toMatchObject({
    result,
    disposition,
    status,
  })
})

test('money for a checkout creates a completed intent with the payer’s phone', () => {
  const { writes } = decide()
  expect(writes?.matched).toMatchObject({
    ...{
      id: 'pi_new',
      checkoutId: 'cs_1',
      accountId: null,
      handle: null,
      rail: 'paybill',
    },
    ...{
      phone: '2547***149',
      amountMinor: 50_000n,
      askedMinor: 50_000n,
      settledMinor: 50_000n,
    },
  })
  expect(writes?.transfers).toMatchObject([{ debit: 'float:mpesa', credit: 'wallet:acc_1' }])
})

test('a checkout that asks for whole shillings is paid by the amount rounded up', () => {
  const request = { checkout: { ...checkout, amountMinor: 50_001n } }
  const fact = { wholeMajorsOnly: true, amountMinor: 50_100n }
  const { applied, writes } = decide({ ...request, fact })
  expect(applied.disposition).toBe('merchant')
  expect(writes?.matched).toMatchObject({
    amountMinor: 50_001n,
    askedMinor: 50_100n,
  })
})

test('money without an owner is held without an intent, and its payee is looked up again if the lookup failed', () => {
  const { writes } = decide(noOwner)
  expect(writes?.matched).toBeUndefined()
  expect(writes?.suspense).toMatchObject({
    reason: 'unmatched',
    intentId: null,
  })
  expect(writes?.wantedPayee).toBeUndefined()
  expect(decide({ ...noOwner, fact: { isPayeeUnknown: true } }).writes?.wantedPayee).toBe('R1')
  expect(decide({ fact: { isPayeeUnknown: true } }).writes?.wantedPayee).toBeUndefined()
})

test('Pay Bill money with the reference of a prompt settles the intent of the prompt, once', () => {
  const { writes } = decide({ intent })
  expect(writes?.intent).toMatchObject({
    id: 'pi_1',
    status: 'completed',
    receipt: 'R1',
  })
  expect(writes?.matched).toBeUndefined()
  const settled = {
    ...intent,
    status: 'completed',
    settledAt: later(now, -1),
  } as const
  expect(decide({ intent: settled, isCheckoutPaid: true }).writes?.matched).toMatchObject({
    ...{ rail: 'mpesa', disposition: 'suspense_duplicate' },
  })
})

test.each<[string, Partial<Intent>]>([
  ['was never sent', { status: 'reserved' }],
  ['asked for a card', { rail: 'card' }],
])(
  'Pay Bill money with the reference of an intent that %s gets a new intent on the rail paybill',
  (_, changes) => {
    const { writes } = decide({ intent: { ...intent, ...changes } })
    expect(writes?.intent).toBeUndefined()
    expect(writes?.matched).toMatchObject({
      rail: 'paybill',
      disposition: 'merchant',
    })
    expect(writes?.transfers).toMatchObject([
      { eventKey: 'receipt:mpesa:R1', debit: 'float:mpesa' },
    ])
  },
)

test('a callback that settles nothing is stored as a report, which holds its checkout open for a while', () => {
  expect(decide({ fact: { isSigned: false } }).writes?.payBillReport).toEqual({
    ...{ messageId: 'pm_1', receipt: 'R1', checkoutId: 'cs_1', minor: 50_000n },
    heldUntil: later(now, 600),
  })
  const both = { message: { isSourceKnown: false }, fact: { isSigned: false } }
  expect(decide(both).writes?.payBillReport).toBeUndefined()
})
