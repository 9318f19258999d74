import type {
  LedgerServiceServer,
  RecordSubmitRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { happenings } from '@malipo/runtime/metrics'
import type { Database } from '../store/database'
import { recordSubmit as keepOutcome, type SubmitOutcome } from '../store/intents'
import { causeOf, wireStatusOf } from './wire'

export interface RecordSubmitDeps {
  readonly db: Database
}

/** Records how the call to the provider ended. Repeating it changes nothing. */
export function recordSubmit(
  deps: RecordSubmitDeps,
): Operations<LedgerServiceServer>['recordSubmit'] {
  return async ({ intentId, outcome }) => {
    const recorded = await keepOutcome(deps.db, intentId, readOutcome(outcome))
    if (recorded === undefined) throw new Fault('intent_not_found', { intentId })
    if (recorded.isConflict) happenings.inc({ name: 'contradiction' })
    return { status: wireStatusOf[recorded.status] }
  }
}

function readOutcome(outcome: RecordSubmitRequest['outcome']): SubmitOutcome {
  switch (outcome?.$case) {
    case 'accepted': {
      const { providerRequestId, cardSession: opened } = outcome.value
      return { outcome: 'accepted', providerRequestId, opened }
    }
    case 'refused': {
      const { cause, providerCode } = outcome.value
      return { outcome: 'refused', cause: causeOf[cause], providerCode, detail: providerCode }
    }
    case 'notSent':
      return { outcome: 'not_sent', cause: 'not_started', detail: outcome.value.detail }
    case 'unknown':
      return { outcome: 'unknown', detail: outcome.value.detail }
    case undefined:
      throw new Fault('invalid_request', { field: 'outcome' })
  }
}
