import {
  FailureCause,
  IntentStatus,
  RefundSender,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from '../ledger.harness'
import { present, uniquePhone, uniqueReceipt } from '../payments.harness'
import { enrolledOperators, note } from '../operators/operators.harness'
import { letPass } from '../time.harness'

/** Amounts up to this limit, which most of these tests pay, are credited by a callback alone. */
const at = ledgerOfFile({ callbackUnconfirmedMaxMinor: 50_000n })
const by = enrolledOperators(at)
let accountId: string

beforeAll(async () => {
  accountId = await at.pay.merchant()
})

const read = async (intentId: string) =>
  present((await at.ledger.readHandlePayment({ intentId })).payment)

test('shows an attempt in flight with its payee, amount, phone and start', async () => {
  const { intentId } = await at.pay.pendingToHandle(accountId)
  expect(await read(intentId)).toMatchObject({
    payee: { accountId, handle: 'Mama-Mboga' },
    amount: { currency: 'KES', minor: 50_000n },
    attempt: {
      intentId,
      status: IntentStatus.PENDING,
      rail: 'RAIL_MPESA',
      phone: expect.stringMatching(/^2547/) as string,
      startedAt: expect.any(Date) as Date,
    },
  })
  expect((await read(intentId)).completedAt).toBeUndefined()
})

test('shows why an attempt failed', async () => {
  const attempt = await at.pay.pendingToHandle(accountId)
  await at.pay.declined(attempt)
  expect((await read(attempt.intentId)).attempt).toMatchObject({
    status: IntentStatus.FAILED,
    cause: FailureCause.CANCELLED,
  })
})

test('counts the failed attempts of the same phone for the same handle up to the one shown', async () => {
  const phone = uniquePhone()
  const failed = async () => {
    const { intent } = await at.pay.startHandle(accountId, { phone })
    const attempt = await at.pay.prompted(intent)
    await at.pay.declined(attempt)
    return attempt.intentId
  }
  const [first, second] = [await failed(), await failed()]
  const other = await at.pay.pendingToHandle(accountId)
  await at.pay.declined(other)
  const shown = await Promise.all([first, second, other.intentId].map(read))
  expect(shown.map(({ failedAttempts }) => failedAttempts)).toEqual([1, 2, 1])
  expect(shown.some(({ mayHavePaid }) => mayHavePaid)).toBe(false)
})

describe('shows a failed attempt of a phone with the warning that an earlier attempt for the handle may be paid', () => {
  const promptOf = async (phone: string, amountMinor = 50_000n) =>
    at.pay.prompted((await at.pay.startHandle(accountId, { phone, amountMinor })).intent)
  const mayHavePaidBeside = async (phone: string) => {
    const later = await promptOf(phone)
    await at.pay.declined(later)
    return (await read(later.intentId)).mayHavePaid
  }

  test('which expired', async () => {
    const phone = uniquePhone()
    const { intentId } = await promptOf(phone)
    await letPass(at.database, 151)
    await eventually(
      'the first attempt expires',
      async () => (await at.pay.status(intentId)) === IntentStatus.EXPIRED,
    )
    expect(await mayHavePaidBeside(phone)).toBe(true)
  })

  test('whose prompt has no result yet', async () => {
    const phone = uniquePhone()
    await promptOf(phone)
    await letPass(at.database, 61)
    expect(await mayHavePaidBeside(phone)).toBe(true)
  })

  test('which was reported as paid, and is being confirmed', async () => {
    const phone = uniquePhone()
    await at.pay.paid(await promptOf(phone, 60_000n))
    expect(await mayHavePaidBeside(phone)).toBe(true)
  })

  test('but not when the earlier attempt is paid, because then a second payment is meant', async () => {
    const phone = uniquePhone()
    await at.pay.paid(await promptOf(phone))
    expect(await mayHavePaidBeside(phone)).toBe(false)
  })
})

test('shows when an attempt was paid', async () => {
  const attempt = await at.pay.pendingToHandle(accountId)
  await at.pay.paid(attempt)
  expect((await read(attempt.intentId)).completedAt).toBeInstanceOf(Date)
})

/** An attempt whose payer paid less than was asked, so that its money is held. */
async function held() {
  const { intentId } = await at.pay.pendingToHandle(accountId)
  const messageId = await at.pay.fetched(intentId, 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW')
  const value = { receipt: uniqueReceipt(), amountMinor: 30_000n }
  await at.ledger.applyEvidence({ messageId, fact: { $case: 'confirmed', value } })
  return { intentId, subject: `mpesa:${value.receipt}` }
}

test('gives no time of payment for a completed attempt whose money is held in suspense', async () => {
  const { attempt, completedAt, mayHavePaid } = await read((await held()).intentId)
  expect(attempt?.status).toBe(IntentStatus.COMPLETED)
  expect(completedAt).toBeUndefined()
  expect(mayHavePaid).toBe(true)
})

describe('when operators have given held money', () => {
  const give = async (subject: string, value: string) => {
    const owner = { $case: 'accountId', value } as const
    const { placementId = '' } = await by.amina.askPlacement({ subject, owner, note })
    await by.brian.decidePlacement({ placementId, agreed: true, note })
  }

  test('to the payee, shows when and how much was paid, and that it went back', async () => {
    const { intentId, subject } = await held()
    await give(subject, accountId)
    const paid = {
      ...{ attempt: { intentId, status: IntentStatus.COMPLETED }, mayHavePaid: false },
      ...{ completedAt: expect.any(Date) as Date, amount: { minor: 30_000n } },
      askedMinor: 30_000n,
    }
    expect(await read(intentId)).toMatchObject(paid)
    await by.agreed(await by.requestedRefund(subject, RefundSender.PROVIDER))
    const attempt = { intentId, status: IntentStatus.REVERSED }
    expect(await read(intentId)).toMatchObject({ ...paid, attempt })
  })

  test('to another account, does not say that the payee was paid', async () => {
    const { intentId, subject } = await held()
    await give(subject, await at.pay.merchant())
    const { attempt, completedAt, amount } = await read(intentId)
    expect(attempt?.status).toBe(IntentStatus.COMPLETED)
    expect([completedAt, amount?.minor]).toEqual([undefined, 50_000n])
  })
})

test('refuses an attempt of a checkout, and an unknown id', async () => {
  const { intent } = await at.pay.start((await at.pay.checkout()).checkoutId)
  for (const intentId of [present(intent).intentId, 'pi_000000000000000000000000']) {
    await expect(read(intentId)).rejects.toMatchObject({ reason: 'intent_not_found' })
  }
})
