import type { IncomingMessage } from 'node:http'
import { Fault } from '@malipo/kernel/errors'

/**
 * Refuses what a page of another site makes a browser send. Browsers name the page's origin with every POST and say how
 * it is related to ours; what is no browser says neither, and carries no cookies by itself. Fault: csrf_refused.
 */
export function refuseForeign(request: IncomingMessage, ownOrigin: string): void {
  const { origin = ownOrigin, 'sec-fetch-site': site = 'same-origin' } = request.headers
  const isOwnSite = site === 'same-origin' || (site === 'none' && request.method === 'GET')
  if (origin !== ownOrigin || !isOwnSite) throw new Fault('csrf_refused', { origin })
}
