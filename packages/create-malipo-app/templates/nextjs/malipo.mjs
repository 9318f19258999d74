import { renameSync } from 'node:fs'
import { Malipo } from '@malipo/sdk'

let opened

/** The client of Malipo, opened with the first request: a build has no key. */
export function malipo() {
  opened ??= new Malipo({ secretKey: process.env.MALIPO_KEY, baseUrl: process.env.MALIPO_URL })
  return opened
}

/** Delivers an order once, when its checkout is completed and its money still here; whether that is so. */
export async function settle(checkoutId) {
  const { status, payment } = await malipo().checkouts.retrieve(checkoutId)
  // When an event comes late, its money may have gone back.
  if (status !== 'completed' || payment?.status === 'reversed') return false
  try {
    // Only one of all requests can rename the file. With a database: an UPDATE of the order that changes its row only once.
    renameSync(`order-${checkoutId}`, `delivered-${checkoutId}`)
    console.log('Deliver the order of', checkoutId)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return true
}
