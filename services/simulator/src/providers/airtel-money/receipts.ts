import { draw } from '../../sessions/rules/draw'
import type { AirtelMoney } from './state'

const minutesInYear = 525_600
const firstYearMs = Date.UTC(2026, 0, 1)
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const numbersInLetter = 100_000

/**
 * The n-th `airtel_money_id`, such as `MP261120.1425.L06941`. It begins at a minute drawn from the seed (the real one
 * would make no two runs alike) and counts on: a new letter when the numbers are used up, then a new minute.
 */
export function nextReceipt(airtel: AirtelMoney): string {
  airtel.counts.receipts += 1
  const inMinute = letters.length * numbersInLetter
  const start = Math.floor(draw(airtel.world.seed, 'airtel receipt') * minutesInYear * inMinute)
  const place = start + airtel.counts.receipts
  const time = new Date(firstYearMs + Math.floor(place / inMinute) * 60_000).toISOString()
  const day = time.slice(2, 10).replaceAll('-', '')
  const minute = time.slice(11, 16).replace(':', '')
  const letter = letters.charAt(Math.floor((place % inMinute) / numbersInLetter))
  return `MP${day}.${minute}.${letter}${String(place % numbersInLetter).padStart(5, '0')}`
}
