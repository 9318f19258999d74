import type { MerchantRequest } from '@malipo/accounts-client/accounts'
import type { Log } from '@malipo/runtime/log'
import { notableEvents } from '@malipo/runtime/metrics'
import { repeat } from '@malipo/runtime/repeat'

const everyMs = 1_000
/** The most requests in one message to the accounts service. */
const atOnceMax = 200
/** Some two megabytes: several busy seconds, or a minute without the accounts service. */
const waitingMax = 5_000

export interface PassOnRequests {
  readonly note: (request: MerchantRequest) => void
  /** Sends what is still queued, if auth accepts it. */
  readonly close: () => Promise<void>
}

/**
 * Sends requests to the request log once a second. When the accounts service is down for too long, the newest
 * requests are dropped and counted.
 */
export function openPassOnRequests(
  passOn: (requests: readonly MerchantRequest[]) => Promise<void>,
  log: Log,
): PassOnRequests {
  const waiting: MerchantRequest[] = []
  const passAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, atOnceMax)
      await passOn(batch)
      waiting.splice(0, batch.length)
    }
  }
  const passing = repeat({ what: 'pass requests on to their log', everyMs, log }, passAll)
  return {
    note(request) {
      if (waiting.length < waitingMax) waiting.push(request)
      else notableEvents.inc({ name: 'request_log_dropped' })
    },
    async close() {
      await passing.stop()
      await passAll().catch((error: unknown) => {
        log.warn({ error, lost: waiting.length }, 'requests are missing from their log')
      })
    },
  }
}
