import { renameSync } from 'node:fs'
import { Malipo } from '@malipo/sdk'

let opened

/** Returns the client of Malipo. The first request opens it, because a build of the shop has no key. */
export function malipo() {
  opened ??= new Malipo({ secretKey: process.env.MALIPO_KEY, baseUrl: process.env.MALIPO_URL })
  return opened
}

/**
 * Delivers the order of a checkout, if that is completed and was not refunded. Returns whether that is so. An order is
 * delivered once, also if it has several checkouts.
 */
export async function settle(checkoutId) {
  const { status, payment, reference } = await malipo().checkouts.retrieve(checkoutId)
  // An event may come late, when its payment has already been refunded.
  if (status !== 'completed' || payment?.status === 'reversed') return false
  try {
    // Only one of all requests can rename the file. With a database: an UPDATE of the order that changes its row only once.
    renameSync(`order-${reference}`, `delivered-${reference}`)
    console.log('Deliver the order', reference)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return true
}
