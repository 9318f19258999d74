import { majorText, type Minor } from '@malipo/kernel/money'
import { type Outcome, type Phone, receiveSms, type Sms } from '../../phones/rules/phone'
import { drawBig, pick } from '../../sessions/rules/draw'
import { moveMoney } from '../../sessions/rules/world'
import { callBack } from '../call-back'
import { type Reason, reasonOf } from './reasons'
import { balanceOf, type MtnMomo, type PayRequest, type PayState } from './state'
import { transactionBody } from './transaction-body'
import type { BookRow } from '../../book/rules/book'

/** Ends a payment after the payer's answer: moves the money, or sets the reason. */
export function conclude(mtn: MtnMomo, phone: Phone, request: PayRequest, outcome: Outcome): void {
  if (outcome === 'agreed') succeed(mtn, request, phone)
  else fail(mtn, request, reasonOf[outcome])
}

/**
 * Moves the money of a payment or a payout. Without `phone` no phone's balance changes, because some numbers of the
 * sandbox have no phone.
 */
export function succeed(mtn: MtnMomo, request: PayRequest, phone?: Phone): void {
  const { world } = mtn
  if (world.book.isFull()) {
    fail(mtn, request, 'SERVICE_UNAVAILABLE')
    return
  }
  const isOut = request.role === 'payee'
  if (isOut && request.amountMinor > balanceOf(mtn, request.currency)) {
    fail(mtn, request, 'NOT_ENOUGH_FUNDS')
    return
  }
  const { msisdn, amountMinor, business, account, referenceId: reference } = request
  const row = moveMoney(world, {
    receipt: nextReceipt(mtn),
    provider: 'mtn_momo',
    kind: isOut ? 'payout' : 'request_to_pay',
    msisdn,
    business,
    account,
    amountMinor,
    reference,
  })
  const { currency } = request
  mtn.balances.set(currency, balanceOf(mtn, currency) + (isOut ? -amountMinor : amountMinor))
  if (phone !== undefined) {
    phone.balanceMinor += isOut ? amountMinor : -amountMinor
    const sms = isOut ? receivedSms : paidSms
    receiveSms(phone, sms(row, mtn.settings.businessName, phone.balanceMinor))
  }
  finish(mtn, request, { status: 'SUCCESSFUL', receipt: row.receipt })
}

export function fail(mtn: MtnMomo, request: PayRequest, reason: Reason): void {
  finish(mtn, request, { status: 'FAILED', reason })
}

function finish(mtn: MtnMomo, request: PayRequest, state: PayState): void {
  const { world, settings } = mtn
  request.state = state
  const settled = () => {
    request.calledBack = true
    for (const run of request.waiting.splice(0)) run()
  }
  if (request.callbackUrl === undefined) {
    settled()
    return
  }
  callBack(world, mtn.deliver, {
    url: request.callbackUrl,
    how: { method: methodFor(mtn, request), timeoutMs: callbackTimeoutMs },
    ...(settings.callbackPolicy === 'retried' && { retryAfterMs }),
    facets: request,
    reference: request.referenceId,
    result: state.status === 'FAILED' ? state.reason : state.status,
    body: (amountMinor) =>
      transactionBody(world.seed, { ...request, amountMinor }, state, 'callback'),
    settled,
  })
}

function methodFor({ settings, world }: MtnMomo, { referenceId }: PayRequest): 'PUT' | 'POST' {
  if (settings.callbackMethod !== 'either') return settings.callbackMethod
  return pick(world.seed, `callback method ${referenceId}`, ['PUT', 'POST'])
}

function paidSms(row: BookRow, businessName: string, balanceMinor: Minor): Sms {
  const text = `Y'ello. You have paid UGX ${shown(row.amountMinor)} to ${businessName}. Reference ${row.account}. New balance: UGX ${shown(balanceMinor)}. Transaction ID: ${row.receipt}.`
  return { atMs: row.atMs, from: 'MTN MoMo', text }
}

function receivedSms(row: BookRow, businessName: string, balanceMinor: Minor): Sms {
  const text = `Y'ello. You have received UGX ${shown(row.amountMinor)} from ${businessName}. Reference ${row.account}. New balance: UGX ${shown(balanceMinor)}. Transaction ID: ${row.receipt}.`
  return { atMs: row.atMs, from: 'MTN MoMo', text }
}

/** `500000n` -> `5,000`. */
function shown(minor: Minor): string {
  return majorText(minor).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Ten digits, the first of them not 0: short numbers, as measured. */
const first = 1_000_000_000n
const receipts = 9_000_000_000n

/**
 * The n-th `financialTransactionId` is a step of a fixed width through all possible ids. The width shares no factor
 * with their number, so no id comes twice before all have come once.
 */
function nextReceipt(mtn: MtnMomo): string {
  mtn.counts.receipts += 1
  const { seed } = mtn.world
  const width = 30n * drawBig(seed, 'mtn receipt width') + 1n
  const start = drawBig(seed, 'mtn receipt start')
  return String(first + ((start + BigInt(mtn.counts.receipts) * width) % receipts))
}

/**
 * How MTN calls back, by the one of its two pages that describes retries (providers.md, fact 8): an answer that takes
 * two seconds counts as none, and 20 tries follow a second apart, 30 two minutes apart, then one an hour. The other
 * page says "once".
 */
const callbackTimeoutMs = 2_000

const triesASecondApart = 20
const triesTwoMinutesApart = 30
/** MTN says "until it is unblocked"; the simulator stops after 72 hourly tries. */
const triesAnHourApart = 72

export function retryAfterMs(failures: number): number | undefined {
  if (failures <= triesASecondApart) return 1_000
  if (failures <= triesASecondApart + triesTwoMinutesApart) return 120_000
  const triesMax = triesASecondApart + triesTwoMinutesApart + triesAnHourApart
  return failures <= triesMax ? 3_600_000 : undefined
}
