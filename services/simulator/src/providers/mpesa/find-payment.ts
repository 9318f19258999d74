import { isIncoming, type Book, type BookRow } from '../../book/rules/book'
import type { Mpesa } from './state'

const pageRows = 1_000

/**
 * Finds an M-PESA movement in this session's book. The home session also searches the books of the sessions that share
 * its API, because its clients name no session.
 */
export function findMovement(mpesa: Mpesa, isIt: (row: BookRow) => boolean): BookRow | undefined {
  for (const book of [mpesa.world.book, ...mpesa.world.otherBooks()]) {
    const found = findIn(book, isIt)
    if (found !== undefined) return found
  }
  return undefined
}

function findIn(book: Book, isIt: (row: BookRow) => boolean): BookRow | undefined {
  for (let after = 0; after < book.size(); after += pageRows) {
    const found = book.since(after, pageRows).find((row) => row.provider === 'mpesa' && isIt(row))
    if (found !== undefined) return found
  }
  return undefined
}

export function findPayment(mpesa: Mpesa, receipt: string): BookRow | undefined {
  return findMovement(mpesa, (row) => isIncoming(row) && row.receipt === receipt)
}

/** The account of a reversal is the receipt of the payment that it reversed. */
export function findReversal(mpesa: Mpesa, receipt: string): BookRow | undefined {
  return findMovement(mpesa, (row) => row.kind === 'reversal' && row.account === receipt)
}
