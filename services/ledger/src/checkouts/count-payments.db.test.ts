import {
  type CountPaymentsResponse,
  FailureCause,
  IntentStatus,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { evidence } from '../evidence/evidence.harness'
import { ledgerOfFile } from '../ledger.harness'
import { declined, present, uniqueReceipt } from '../payments.harness'
import { openDatabases } from '../database/database'
import { countPayments } from './store/payment-counts'
import { letPass, past } from '../time.harness'
import { enrolledOperators, note } from '../operators/operators.harness'
import { payBill, payBillNumberKey } from '../pay-bill/pay-bill.harness'
import { reports } from '../reports/report-closings.harness'

const at = ledgerOfFile({ payBillNumberKey })
const by = enrolledOperators(at)

const count = (accountId: string, days = 14) => at.ledger.countPayments({ accountId, days })

const rowsOf = ({ counts }: CountPaymentsResponse) => counts.map(({ day: _day, ...row }) => row)

async function earn(accountId: string): Promise<void> {
  const { checkoutId } = await at.pay.checkout({ accountId })
  await at.pay.paid(await at.pay.pending(checkoutId))
}

async function decline(accountId: string): Promise<void> {
  const { checkoutId } = await at.pay.checkout({ accountId })
  await at.pay.declined(await at.pay.pending(checkoutId))
}

async function earnByHandle(accountId: string): Promise<void> {
  await at.pay.paid(await at.pay.pendingToHandle(accountId))
}

async function declineHandle(accountId: string): Promise<void> {
  await at.pay.declined(await at.pay.pendingToHandle(accountId))
}

/** Moves everything that an account has days into the past. */
async function letDaysPass(accountId: string, days: number): Promise<void> {
  await past(at.database, async (query) => {
    const values = [days, accountId]
    await query(
      `UPDATE transfers SET created_at = created_at - make_interval(days => $1) WHERE credit = 'wallet:' || $2`,
      values,
    )
    await query(
      `UPDATE intents SET created_at = created_at - make_interval(days => $1), ended_at = ended_at - make_interval(days => $1)
       WHERE account_id = $2 OR checkout_id IN (SELECT id FROM checkouts WHERE account_id = $2)`,
      values,
    )
    await query(
      'UPDATE checkouts SET created_at = created_at - make_interval(days => $1), expires_at = expires_at - make_interval(days => $1) WHERE account_id = $2',
      values,
    )
  })
}

const paid = (rail: Rail, many: number, paidMinor: bigint) => ({
  rail,
  paidMinor,
  cause: FailureCause.UNSPECIFIED,
  mayHavePaid: false,
  count: many,
})
const unpaid = (rail: Rail, cause: FailureCause, many: number) => ({
  rail,
  paidMinor: undefined,
  cause,
  mayHavePaid: false,
  count: many,
})

test('counts payments and attempts without money by rail and cause, of one account alone', async () => {
  const accountId = await at.pay.merchant()
  await earn(accountId)
  await earn(accountId)
  await decline(accountId)
  await earnByHandle(accountId)
  await declineHandle(accountId)
  const { checkoutId } = await at.pay.checkout({ accountId })
  const accountNumber = await payBill(at.ledger).number(checkoutId)
  await payBill(at.ledger).paid({ accountNumber, amountMinor: 50_000n })
  await at.pay.pending((await at.pay.checkout({ accountId })).checkoutId)
  const other = await at.pay.merchant()
  await earn(other)
  expect(rowsOf(await count(accountId))).toEqual([
    unpaid(Rail.MPESA, FailureCause.CANCELLED, 2),
    paid(Rail.MPESA, 3, 150_000n),
    paid(Rail.PAYBILL, 1, 50_000n),
  ])
  expect(rowsOf(await count(other))).toEqual([paid(Rail.MPESA, 1, 50_000n)])
})

test('counts attempts whose money may still come apart, until two operators close the reports of them', async () => {
  const the = reports(at)
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  const attempts = [await at.pay.pending(checkoutId), await at.pay.pendingToHandle(accountId)]
  const [, reported] = attempts
  const receipt = uniqueReceipt()
  await at.pay.paid(present(reported), { sourceKnown: false, receipt })
  await letPass(at.database, 660)
  for (const { intentId } of attempts) {
    await eventually('it is given up', async () => {
      return (await at.pay.status(intentId)) === IntentStatus.EXPIRED
    })
  }
  const open = (many: number) => ({
    ...unpaid(Rail.MPESA, FailureCause.UNCONFIRMED, many),
    mayHavePaid: true,
  })
  expect(rowsOf(await count(accountId))).toEqual([open(2)])
  await the.close(`mpesa:${receipt}`)
  const closed = unpaid(Rail.MPESA, FailureCause.UNCONFIRMED, 1)
  expect(rowsOf(await count(accountId))).toEqual(expect.arrayContaining([open(1), closed]))
})

test('counts attempts that only status answers deny as ones whose money may still come, for 72 hours', async () => {
  const accountId = await at.pay.merchant()
  await decline(accountId)
  const { checkoutId } = await at.pay.checkout({ accountId })
  const attempts = [await at.pay.pending(checkoutId), await at.pay.pendingToHandle(accountId)]
  for (const seconds of [75, 15]) {
    await letPass(at.database, seconds)
    for (const attempt of attempts)
      await evidence(at).fetched(attempt, declined(attempt.providerRequestId))
  }
  const denied = (many: number) => unpaid(Rail.MPESA, FailureCause.CANCELLED, many)
  const rows = rowsOf(await count(accountId))
  expect(rows).toHaveLength(2)
  expect(rows).toEqual(expect.arrayContaining([denied(1), { ...denied(2), mayHavePaid: true }]))
  await letPass(at.database, 72 * 3_600)
  expect(rowsOf(await count(accountId))).toEqual([denied(3)])
})

test('counts each local day, from the first that was asked for until today', async () => {
  const accountId = await at.pay.merchant()
  for (let day = 0; day < 3; day += 1) {
    await earn(accountId)
    await decline(accountId)
    await declineHandle(accountId)
    await letDaysPass(accountId, 1)
  }
  const { counts, firstDay, lastDay } = await count(accountId, 3)
  const { rows } = await at.database.pool.query<{ day: string }>(
    `SELECT to_char(now() AT TIME ZONE 'Africa/Nairobi' - make_interval(days => past), 'YYYY-MM-DD') AS day
     FROM generate_series(0, 2) past`,
  )
  const [today, yesterday, before] = rows.map(({ day }) => day)
  expect([firstDay, lastDay]).toEqual([before, today])
  expect(counts.map(({ day, paidMinor, count: many }) => [day, paidMinor, many])).toEqual([
    [before, undefined, 2],
    [before, 50_000n, 1],
    [yesterday, undefined, 2],
    [yesterday, 50_000n, 1],
  ])
})

test('counts held money as held, and as paid once it is placed', async () => {
  const { accountId, subject } = await by.mismatch()
  expect(await count(accountId)).toMatchObject({ counts: [], heldCheckouts: 1 })
  const owner = { $case: 'accountId', value: accountId } as const
  const { placementId } = await by.amina.askPlacement({ subject, owner, note })
  await by.brian.decidePlacement({ placementId: present(placementId), agreed: true, note })
  const counted = await count(accountId)
  expect(rowsOf(counted)).toEqual([paid(Rail.MPESA, 1, 40_000n)])
  expect(counted.heldCheckouts).toBe(0)
})

test.each<[string, number, (accountId: string, day: number) => Promise<unknown>]>([
  ['checkouts', 2, decline],
  ['attempts to pay a handle', 2, declineHandle],
  ['payments', 3, (accountId, day) => (day === 0 ? earn(accountId) : earnByHandle(accountId))],
])(
  'begins with the first day that it can count completely, when there are too many %s',
  async (_what, days, act) => {
    const accountId = await at.pay.merchant()
    for (const day of [0, 1, 2]) {
      await act(accountId, day)
      await letDaysPass(accountId, 1)
    }
    const { read, ...others } = openDatabases(at.database.url)
    const request = { accountId, days: 14, timeZone: 'Africa/Nairobi' }
    const counted = async (max: number) => {
      const { firstDay, lastDay, counts } = await countPayments(read.db, request, max)
      return [(Date.parse(lastDay) - Date.parse(firstDay)) / 86_400_000 + 1, counts.length]
    }
    expect(await counted(3)).toEqual([14, 3])
    // The account has nothing of today, so there is a count for each day but the last.
    expect(await counted(2)).toEqual([days, days - 1])
    await Promise.all([read, ...Object.values(others)].map((one) => one.close()))
  },
)

test.each([0, 32])('refuses to count %d days', async (days) => {
  await expect(count('acc_x', days)).rejects.toMatchObject({ reason: 'invalid_request' })
})
