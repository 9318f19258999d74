import type { RecordSubmitRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import { notableEvents } from '@malipo/runtime/metrics'
import type { Ledger, Operation } from '../operation'
import type { SubmitEnd } from './rules/decide-submit'
import { batched } from '../database/batched'
import { recordSubmits } from './store/record-submit'

/** Records how the call to the provider ended. Repeating it changes nothing. */
export function recordSubmit(deps: Ledger): Operation<'recordSubmit'> {
  const record = batched(deps, recordSubmits)
  return async ({ intentId, outcome }) => {
    const end = readOutcome(outcome)
    const { recorded } = await record({ intentId, ...end })
    if (recorded === undefined) throw new Fault('intent_not_found', { intentId })
    if (recorded.isConflict) {
      notableEvents.inc({ name: 'contradiction' })
      deps.log.warn({ intentId, outcome: end.outcome }, 'contradiction')
    }
    return { status: wireOf('INTENT_STATUS', recorded.status) }
  }
}

function readOutcome(outcome: RecordSubmitRequest['outcome']): SubmitEnd {
  switch (outcome?.$case) {
    case 'accepted': {
      const { providerRequestId, cardSession: opened } = outcome.value
      return { outcome: 'accepted', providerRequestId, opened }
    }
    // A refusal without a cause is still a refusal.
    case 'refused': {
      const { cause, providerCode } = outcome.value
      return {
        outcome: 'refused',
        cause: wordOf('FAILURE_CAUSE', cause) ?? 'refused',
        providerCode,
      }
    }
    case 'notSent':
      return { outcome: 'not_sent', cause: 'not_started', detail: outcome.value.detail }
    case 'unknown':
      return { outcome: 'unknown', detail: outcome.value.detail }
    case undefined:
      throw new Fault('invalid_request', { field: 'outcome' })
  }
}
