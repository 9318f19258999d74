import type { IncomingMessage } from 'node:http'
import { Fault } from '@malipo/kernel/errors'

/** Refuses a change that another site's page makes a browser send. Fault: csrf_refused. */
export function refuseForeign(request: IncomingMessage, ownOrigin: string): void {
  const { origin = ownOrigin, 'sec-fetch-site': site = 'same-origin' } = request.headers
  if (origin !== ownOrigin || site !== 'same-origin') throw new Fault('csrf_refused')
}
