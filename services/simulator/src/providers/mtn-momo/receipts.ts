import { drawHex } from '../../sessions/rules/draw'
import type { MtnMomo } from './state'

/** Ten digits, the first of them not 0: short numbers, as measured. */
const first = 1_000_000_000n
const receipts = 9_000_000_000n

/**
 * The n-th `financialTransactionId` is a step of a fixed width through all there are. The width shares no factor with
 * their number, so none comes twice before all have come once.
 */
export function nextReceipt(mtn: MtnMomo): string {
  mtn.counts.receipts += 1
  const { seed } = mtn.world
  const width = 30n * drawBig(seed, 'mtn receipt width') + 1n
  const start = drawBig(seed, 'mtn receipt start')
  return String(first + ((start + BigInt(mtn.counts.receipts) * width) % receipts))
}

function drawBig(seed: string, label: string): bigint {
  return BigInt(`0x${drawHex(seed, label, 11)}`)
}
