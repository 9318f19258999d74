import type { Due } from '@malipo/ledger-client/claims'
import { jobDuration } from '@malipo/runtime/metrics'
import { noteSubject, withSpan } from '@malipo/runtime/telemetry'
import { deliverEvent } from '../webhooks/deliver-event'
import type { JobDeps } from './job-deps'
import { queryIntent } from '../queries/query-intent'
import { queryRefund } from '../refunds/query-refund'
import { readProviderMessage } from '../callbacks/read-provider-message'
import { sendRefund } from '../refunds/send-refund'
import { submitPrompt } from '../prompts/submit-prompt'

/** The jobs of this process, started by the queue or by the sweep. */
export interface Jobs {
  /** Runs one job and returns its outcome in a word; a call for a running job joins it. */
  run(work: Due): Promise<string>
  /** Resolves when no job is running. */
  idle(): Promise<void>
}

const work = {
  'submit-prompt': submitPrompt,
  'read-provider-message': readProviderMessage,
  'query-intent': queryIntent,
  'send-refund': sendRefund,
  'query-refund': queryRefund,
  'deliver-event': deliverEvent,
} as const satisfies Record<Due['job'], (deps: JobDeps, id: string, due: Due) => Promise<string>>

/** What kind of id a job has: every log line of the job has the id by this name, here and in the ledger. */
const subjects = {
  'submit-prompt': 'intentId',
  'read-provider-message': 'messageId',
  'query-intent': 'intentId',
  'send-refund': 'refundId',
  'query-refund': 'refundId',
  'deliver-event': 'deliveryId',
} as const satisfies Record<Due['job'], string>

export function openJobs(deps: JobDeps): Jobs {
  const running = new Map<string, Promise<string>>()
  return {
    run(due) {
      const { job, id } = due
      const key = `${job} ${id}`
      const joined = running.get(key)
      if (joined !== undefined) return joined
      noteSubject({ [subjects[job]]: id })
      const ran = timed(
        job,
        withSpan(job, { kind: 'CONSUMER' }, () => work[job](deps, id, due)),
      ).finally(() => running.delete(key))
      running.set(key, ran)
      return ran
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running.values())
    },
  }
}

function timed(job: Due['job'], outcome: Promise<string>): Promise<string> {
  const stopTimer = jobDuration.startTimer({ job })
  return outcome.then(
    (word) => {
      stopTimer({ outcome: word })
      return word
    },
    (error: unknown) => {
      stopTimer({ outcome: 'error' })
      throw error
    },
  )
}
