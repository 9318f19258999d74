import type { MerchantRequest } from '@malipo/accounts-client/accounts'
import { Fault } from '@malipo/kernel/errors'
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

/** A refused request would be refused again at each try, and all requests after it would wait. */
function isRefused(error: unknown): boolean {
  return error instanceof Fault && error.reason === 'invalid_request'
}

/**
 * Sends requests to the request log once a second. A request that the log refuses is dropped and counted; so are the
 * newest ones when the accounts service is down for too long.
 */
export function openPassOnRequests(
  passOn: (requests: readonly MerchantRequest[]) => Promise<void>,
  log: Log,
): PassOnRequests {
  const waiting: MerchantRequest[] = []
  const passBatch = async (batch: readonly MerchantRequest[]): Promise<void> => {
    await passOn(batch).catch(async (error: unknown) => {
      if (!isRefused(error)) throw error
      if (batch.length > 1) for (const one of batch) await passBatch([one])
      else {
        notableEvents.inc({ name: 'request_log_dropped' })
        log.error({ error, requestId: batch[0]?.requestId }, 'a request is refused by its log')
      }
    })
  }
  const passAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, atOnceMax)
      await passBatch(batch)
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
