import type { IncomingMessage } from 'node:http'
import { Fault } from '@malipo/kernel/errors'

/**
 * Refuses cross-site requests. Browsers send the page's origin with every POST, and how it relates to ours; clients
 * that are not browsers send neither, and no cookies by themselves. Fault: csrf_refused.
 */
export function refuseForeign(request: IncomingMessage, ownOrigin: string): void {
  const { origin = ownOrigin, 'sec-fetch-site': site = 'same-origin' } = request.headers
  const isOwnSite = site === 'same-origin' || (site === 'none' && request.method === 'GET')
  if (origin !== ownOrigin || !isOwnSite) throw new Fault('csrf_refused', { origin })
}
