import { draw, drawBig, drawHex } from '../../sessions/rules/draw'
import type { Mpesa } from './state'
import { checkoutTime } from './times'

/**
 * Ids in Daraja's shapes, each a function of the seed and its own counter. A CheckoutRequestID contains a time, as
 * Daraja's does, but one that counts from an instant drawn from the seed: with the real one no two runs would be alike.
 */

/** `ws_CO_` + time + the payer's number without the country code (providers.md, fact 5). */
export function nextCheckoutRequestId(mpesa: Mpesa, msisdn: string): string {
  mpesa.counts.pushes += 1
  const atMs = calendarStartMs(mpesa.world.seed) + mpesa.counts.pushes * stepMs
  return ['ws_CO_', checkoutTime(atMs), msisdn.slice(3)].join('')
}

const yearMs = 365 * 86_400_000
const firstYearMs = Date.UTC(2026, 0, 1)
/** A prime, so that the milliseconds differ from id to id. */
const stepMs = 1_373

function calendarStartMs(seed: string): number {
  return firstYearMs + Math.floor(draw(seed, 'calendar') * yearMs)
}

/** The id of a push or an error: mostly `234f-43a9-ae11-d0b0c2dbe930108127`, at times the older `29115-34620561-1`. */
export function nextRequestId(mpesa: Mpesa): string {
  mpesa.counts.requests += 1
  const count = String(mpesa.counts.requests)
  const label = `request ${count}`
  const { seed } = mpesa.world
  if (draw(seed, label) < 0.1) {
    const [first, second] = [digits(seed, `${label} first`, 5), digits(seed, `${label} second`, 8)]
    return `${first}-${second}-${count}`
  }
  const hex = drawHex(seed, label, 24)
  return `${hex.slice(0, 4)}-${hex.slice(4, 8)}-${hex.slice(8, 12)}-${hex.slice(12)}${count}`
}

function digits(seed: string, label: string, length: number): string {
  return String(Math.floor(draw(seed, label) * 10 ** length)).padStart(length, '1')
}

export function nextToken(mpesa: Mpesa): string {
  mpesa.counts.tokens += 1
  return drawHex(mpesa.world.seed, `token ${String(mpesa.counts.tokens)}`, 28)
}

/** The receipts have nine digits of base 36 behind one letter, so that no spreadsheet reads one as a number. */
const receipts = 36n ** 9n

/**
 * The n-th receipt is a step of a fixed width through all possible receipts. The width shares no factor with 36, so no
 * receipt comes twice before all have come once.
 */
export function nextReceipt(mpesa: Mpesa): string {
  mpesa.counts.receipts += 1
  const { seed } = mpesa.world
  const width = 6n * drawBig(seed, 'receipt width') + 1n
  const start = drawBig(seed, 'receipt start')
  const place = (start + BigInt(mpesa.counts.receipts) * width) % receipts
  return 'Q' + place.toString(36).toUpperCase().padStart(9, '0')
}
