import { randomInt } from 'node:crypto'
import type { RecordDeliveryRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Log } from '@malipo/runtime/log'
import { notableEvents } from '@malipo/runtime/metrics'
import type { Ledger, Operation } from '../operation'
import type { DeliveryAttempt } from './rules/delivery'
import { postponeDelivery, type Recorded, recordDelivery as record } from './store/deliveries'

const failureLengthMax = 64

/** Records how an attempt to deliver ended, and switches off an endpoint that answers 410 or has failed for days. */
export function recordDelivery(deps: Ledger): Operation<'recordDelivery'> {
  return async ({ deliveryId, outcome, durationMs }) => {
    const given = { durationMs: Math.max(0, durationMs), chance: randomInt(1_000) / 1_000 }
    const recorded =
      outcome?.$case === 'notAttempted'
        ? await postponeDelivery(deps.db, deliveryId)
        : await record(deps.db, deliveryId, readAttempt(outcome), given)
    if (recorded === undefined) throw new Fault('invalid_request', { field: 'delivery_id' })
    notice(deps.log, deliveryId, recorded)
    return { status: wireOf('DELIVERY_STATUS', recorded.status) }
  }
}

function notice(log: Log, deliveryId: string, { status, endpointId, endpoint }: Recorded): void {
  if (endpoint === undefined) return
  if (status === 'given_up') notableEvents.inc({ name: 'webhook_given_up' })
  if (endpoint === 'gone' || endpoint === 'failing') {
    notableEvents.inc({ name: 'webhook_switched_off' })
    log.warn({ deliveryId, endpointId, because: endpoint }, 'webhook endpoint switched off')
  }
}

type Outcome = RecordDeliveryRequest['outcome']

function readAttempt(outcome: Exclude<Outcome, { $case: 'notAttempted' }>): DeliveryAttempt {
  switch (outcome?.$case) {
    case 'answerStatus':
      return { kind: 'answered', answerStatus: outcome.value }
    case 'failure':
      return { kind: 'unanswered', failure: outcome.value.slice(0, failureLengthMax) }
    case 'endpointUnknown':
      return { kind: 'endpoint_unknown' }
    case undefined:
      throw new Fault('invalid_request', { field: 'outcome' })
  }
}
