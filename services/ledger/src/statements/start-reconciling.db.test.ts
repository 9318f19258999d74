import {
  CheckoutStatus,
  EvidenceResult,
  IntentStatus,
  ProviderMessageKind,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { systemClock } from '@malipo/runtime/clock'
import { eventually } from '@malipo/testing/eventually'
import { transferSql } from '@malipo/testing/transfer-sql'
import { ledgerOfFile } from '../ledger.harness'
import { present, uniqueReceipt } from '../payments.harness'
import { evidence } from '../evidence/evidence.harness'
import { enrolledOperators } from '../operators/operators.harness'
import { payBill, payBillNumberKey } from '../pay-bill/pay-bill.harness'
import { openAuditDatabase } from '../database/database'
import { freezeUnconfirmed } from '../freezes/store/freeze-unconfirmed'
import { type ComparedSlices, readDifference } from './store/recon-reports'
import { shownStatements } from './store/store-shown-rows'
import { past } from '../time.harness'

const at = ledgerOfFile({ payBillNumberKey, reconcileEverySeconds: 0.1 })
const by = enrolledOperators(at)

/** A confirmation that completed a checkout just now. */
async function confirmedNow(changes: { readonly paidAt?: Date } = {}) {
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  const accountNumber = await payBill(at.ledger).number(checkoutId)
  const payment = { accountNumber, receipt: uniqueReceipt(), amountMinor: 50_000n, ...changes }
  await payBill(at.ledger).paid(payment)
  return { payment, accountId, checkoutId }
}

/** A payment whose confirmation completed a checkout `minutesAgo`; a given `paidAt` is moved back by as much. */
async function confirmedPayment(minutesAgo: number, changes: { readonly paidAt?: Date } = {}) {
  const { payment, ...ids } = await confirmedNow(changes)
  return { ...(await confirmedAgo(minutesAgo, payment)), ...ids }
}

/** Dates the confirmation and its transfer back by `minutesAgo`. */
async function confirmedAgo<Payment extends { readonly receipt: string }>(
  minutesAgo: number,
  payment: Payment,
) {
  await past(at.database, async (query) => {
    await query(
      `UPDATE provider_messages SET applied_at = applied_at - make_interval(mins => $1) WHERE receipt = $2`,
      [minutesAgo, payment.receipt],
    )
    await query(
      `UPDATE transfers SET event_at = event_at - make_interval(mins => $1) WHERE event_key = $2`,
      [minutesAgo, `receipt:mpesa:${payment.receipt}`],
    )
  })
  const { rows } = await at.database.pool.query<{ event_at: Date }>(
    'SELECT event_at FROM transfers WHERE event_key = $1',
    [`receipt:mpesa:${payment.receipt}`],
  )
  const paidAt = present(rows[0]).event_at
  return { payment: { ...payment, paidAt }, subject: `mpesa:${payment.receipt}` }
}

/** Applies the row of the statement that shows the payment after all. */
const showInStatement = (payment: Awaited<ReturnType<typeof confirmedPayment>>['payment']) =>
  payBill(at.ledger).paid({ ...payment, kind: ProviderMessageKind.STATEMENT_ROW })

/** Runs one reconciliation, which freezes payments that were not confirmed for half an hour. */
async function freeze(): Promise<void> {
  const db = openAuditDatabase(at.database.url)
  await freezeUnconfirmed({ db, pool: at.database.pool }, 1_800)
  await db.$disconnect()
}

const minutesFromNow = (minutes: number) => new Date(systemClock.now() + minutes * 60_000)

/**
 * Records the readings of a worker that started 100 minutes ago: two days at first, and then stretches that overlap by
 * a quarter of an hour.
 */
async function readStatement(): Promise<void> {
  const read = (from: number, until: number) =>
    at.ledger.recordStatementRead({
      rail: Rail.MPESA,
      from: minutesFromNow(from),
      until: minutesFromNow(until),
    })
  await read(-100 - 48 * 60, -100)
  for (let until = -90; until <= 0; until += 10) await read(until - 25, until)
}

const isHeldBy = (subject: string, holder: string) =>
  eventually(`${holder} has it`, async () => (await by.holder(subject)) === holder)

test('the difference of the last two days is a metric, which is not 0 while a payment is unaccounted for', async () => {
  const difference = async () => {
    const text = await (await fetch(`${at.ledger.adminUrl}/metrics`)).text()
    return /^malipo_level\{name="recon_diff_minor"\} (\d+)$/m.exec(text)?.[1]
  }
  const { payment } = await confirmedPayment(20)
  await eventually('it is seen', async () => (await difference()) === '50000')
  await showInStatement(payment)
  await eventually('the difference is gone', async () => (await difference()) === '0')
})

test('a new difference in an hour that was even is found within twelve turns, and its end in the next turn', async () => {
  const db = openAuditDatabase(at.database.url)
  const older = { from: 0, until: 1, sides: [], differenceMinor: 1n }
  const compared: ComparedSlices = new Map([[older.from, older]])
  const difference = async () => (await readDifference(db, compared)).recon_diff_minor
  // The slice above is older than two days, so its difference counts no more.
  expect(await difference()).toBe(0)
  const { payment } = await confirmedPayment(2 * 60)
  const found: number[] = []
  while (found.length < 12 && !found.includes(50_000)) found.push(await difference())
  expect(found).toContain(50_000)
  await showInStatement(payment)
  expect(await difference()).toBe(0)
  await db.$disconnect()
})

test('row 61: a confirmation that the statement never shows is frozen, and two people write down that there was no money', async () => {
  const forged = await confirmedPayment(40)
  const young = await confirmedPayment(20)
  const counted = await evidence(at).counted('c2b_unconfirmed')
  // Nothing is frozen while the statement has not been read.
  expect(await by.holder(forged.subject)).toBe(`wallet:${forged.accountId}`)
  await readStatement()
  await isHeldBy(forged.subject, 'suspense:unconfirmed')
  await eventually(
    'it is counted',
    async () => (await evidence(at).counted('c2b_unconfirmed')) === counted + 1,
  )
  // A second freezing, now that the statement is read to its end, leaves the younger payment alone too.
  await freeze()
  expect(await by.holder(young.subject)).toBe(`wallet:${young.accountId}`)
  const { items } = await at.ledger.listSuspense({ limit: 10 })
  expect(items).toMatchObject([{ subject: forged.subject, reason: 'unconfirmed' }])

  const refundId = await by.requestedRefund(forged.subject, 'REFUND_SENDER_PROVIDER')
  await by.agreed(refundId)
  expect(await by.balance(`wallet:${forged.accountId}`)).toBe('0')
  const { accountId, checkoutId } = forged
  const { checkout } = await at.ledger.retrieveCheckout({ accountId, checkoutId })
  expect(checkout?.status).toBe(CheckoutStatus.COMPLETED)
  expect(present(checkout?.payment).status).toBe(IntentStatus.REVERSED)
})

test('money that the statement shows at the moment at which it would be frozen is not frozen', async () => {
  const { payment, accountId } = await confirmedNow()
  const client = await at.database.pool.connect()
  await client.query('BEGIN')
  const kept = [[payment.receipt], ['50000'], [new Date(systemClock.now())]]
  await client.query(shownStatements.keep.text, kept)
  // Earlier tests have read the statement, so the ledger would freeze an old payment before the row is stored.
  const { subject } = await confirmedAgo(40, payment)
  await readStatement()
  const frozen = freeze().then(() => true)
  await eventually('it waits for the row, or has ended', async () => {
    const { rows } = await at.database.pool.query(
      `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE '%statement rows%' AND wait_event_type = 'Lock'`,
    )
    return rows.length > 0 || Promise.race([frozen, Promise.resolve(false)])
  })
  await client.query('COMMIT')
  client.release()
  await frozen
  expect(await by.holder(subject)).toBe(`wallet:${accountId}`)
})

test('row 61: a confirmation that the statement shows with another amount is counted and frozen, and stays so', async () => {
  const { payment, subject } = await confirmedPayment(40)
  const counted = await evidence(at).counted('contradiction')
  const shown = await showInStatement({ ...payment, amountMinor: 100n })
  expect(shown.result).toBe(EvidenceResult.CONTRADICTION)
  expect(await evidence(at).counted('contradiction')).toBe(counted + 1)
  await readStatement()
  await isHeldBy(subject, 'suspense:unconfirmed')
  // The statement is read in stretches that overlap, so the same row comes again.
  const paid = { ...payment, amountMinor: 100n, phone: undefined, payeeUnknown: false }
  const { rows } = await at.ledger.takeStatementRows({
    rows: [{ body: Buffer.from(`again ${payment.receipt}`), paid }],
  })
  expect(rows).toMatchObject([{ result: EvidenceResult.CONTRADICTION }])
  expect(await by.holder(subject)).toBe('suspense:unconfirmed')
})

/** What the owner of a wallet reads: what is held of it, for which checkouts, and why each amount moved, newest first. */
async function toldOwner({ accountId, checkoutId }: Readonly<Record<Id, string>>) {
  const flags = { status: CheckoutStatus.UNSPECIFIED, paidAfterExpiry: false, search: '' }
  const list = async (moneyHeld: boolean) =>
    (await at.ledger.listCheckouts({ accountId, limit: 50, moneyHeld, ...flags })).checkouts
  const timeline = await at.ledger.readTimeline({ accountId, checkoutId })
  const { heldBecause, frozenAt, returnedAt } = present(timeline.attempts[0])
  const flagged = [timeline.checkout, ...(await list(false))].map((found) => found?.moneyHeld)
  const { wallet } = await at.ledger.readWallet({ accountId })
  const { entries } = await at.ledger.listWalletEntries({ accountId, limit: 10 })
  const moves = entries.map(
    ({ move, minor }) => `${move.replace('WALLET_MOVE_', '')} ${String(minor)}`,
  )
  const { counts } = await at.ledger.countPayments({ accountId, days: 1 })
  return {
    ...{ moves, flagged, heldBecause, held: present(wallet).unconfirmedMinor },
    counted: counts.map(({ paidMinor, count }) => [paidMinor, count]),
    found: (await list(true)).length,
    times: [frozenAt, returnedAt].map((time) => time instanceof Date),
  }
}

type Id = 'accountId' | 'checkoutId'

test('the owner of a wallet reads, of it and of a checkout, that money is frozen, that it came back, and that it is gone for good', async () => {
  const back = await confirmedPayment(40)
  const gone = await confirmedPayment(40)
  await readStatement()
  for (const { subject } of [back, gone]) await isHeldBy(subject, 'suspense:unconfirmed')
  const frozen = {
    moves: ['FROZEN -50000', 'RECEIVED 50000'],
    ...{ held: 50_000n, found: 1, flagged: [true, true], heldBecause: 'unconfirmed' },
    counted: [],
    times: [true, false],
  }
  const calm = { held: 0n, found: 0, flagged: [false, false], heldBecause: undefined }
  expect([await toldOwner(back), await toldOwner(gone)]).toEqual([frozen, frozen])

  await showInStatement(back.payment)
  expect(await toldOwner(back)).toEqual({
    moves: ['RETURNED 50000', 'UNFROZEN -50000', 'RECEIVED 50000'],
    counted: [[50_000n, 1]],
    ...calm,
    times: [true, true],
  })
  await by.agreed(await by.requestedRefund(gone.subject, 'REFUND_SENDER_PROVIDER'))
  expect(await toldOwner(gone)).toEqual({
    moves: ['VOIDED -50000', 'RECEIVED 50000'],
    counted: [],
    ...calm,
    times: [true, false],
  })
})

test.each([
  ['three hours before its report', -40 - 180],
  ['a year ago', -525_600],
  ['tomorrow', 1_440],
])('row 61: a payment that says it was made %s is frozen as well', async (_, minutes) => {
  const forged = await confirmedPayment(40, { paidAt: minutesFromNow(minutes + 40) })
  await readStatement()
  await isHeldBy(forged.subject, 'suspense:unconfirmed')
})

test('row 61: a Pay Bill confirmation with the reference of a prompt is frozen as well, unless the prompt’s own callback came', async () => {
  const echo = async (isCalledBack: boolean) => {
    const attempt = await evidence(at).pending()
    const { rows } = await at.database.pool.query<{ attempt_reference: string }>(
      'SELECT attempt_reference FROM intents WHERE id = $1',
      [attempt.intentId],
    )
    const accountNumber = present(rows[0]).attempt_reference
    const payment = { accountNumber, receipt: uniqueReceipt(), amountMinor: 50_000n }
    await payBill(at.ledger).paid(payment)
    if (isCalledBack) await at.pay.paid(attempt, { receipt: payment.receipt })
    return { ...attempt, ...(await confirmedAgo(40, payment)) }
  }
  const calledBack = await echo(true)
  const forged = await echo(false)
  await readStatement()
  await isHeldBy(forged.subject, 'suspense:unconfirmed')
  expect(await by.holder(calledBack.subject)).toBe(`wallet:${calledBack.accountId}`)
})

test('row 61: a frozen payment that the statement shows later goes back to the wallet', async () => {
  const late = await confirmedPayment(40)
  await readStatement()
  await isHeldBy(late.subject, 'suspense:unconfirmed')
  await showInStatement(late.payment)
  expect(await by.holder(late.subject)).toBe(`wallet:${late.accountId}`)
  expect(await by.balance(`wallet:${late.accountId}`)).toBe('50000')
})

test('row 61: a payment that was frozen from a wallet with too little money goes back whole', async () => {
  const { payment: now, accountId } = await confirmedNow()
  const move = (event: string, from: string, to: string) =>
    at.database.pool.query(transferSql(event + accountId, from, to, 30_000))
  // Some of the money is spent, in a way that the ledger lacks so far, before the payment is old enough to freeze.
  await move('spent:', `wallet:${accountId}`, 'suspense:unmatched')
  const late = await confirmedAgo(40, now)
  const { subject } = late
  await isHeldBy(subject, 'suspense:unconfirmed')
  expect(await by.balance(`receivable:${accountId}`)).toBe('-30000')
  await showInStatement(late.payment)
  expect(await by.story(subject)).toMatchObject({
    holder: `wallet:${accountId}`,
    amount: { minor: 50_000n },
  })
  expect(await by.balance(`receivable:${accountId}`)).toBe('0')
  expect(await by.balance(`wallet:${accountId}`)).toBe('20000')
  await move('unspent:', 'suspense:unmatched', `wallet:${accountId}`)
})
