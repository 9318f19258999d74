import type {
  ApplyEvidenceRequest,
  LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import { happenings } from '@malipo/runtime/metrics'
import { newsOf } from '../domain/news'
import type { Database } from '../store/database'
import { applyEvidence as applyFact, type Fact } from '../store/evidence'
import type { NewIds } from '../store/new-ids'
import { causeOf, wireResultOf, wireStatusOf } from './wire'

export interface ApplyEvidenceDeps {
  readonly db: Database
  readonly newIds: NewIds
  readonly queryEverySeconds: number
  readonly denyAfterSeconds: number
  readonly log: Log
}

/** The one door for money: what a stored message means is decided and posted in one transaction, once. */
export function applyEvidence(
  deps: ApplyEvidenceDeps,
): Operations<LedgerServiceServer>['applyEvidence'] {
  const { queryEverySeconds, denyAfterSeconds } = deps
  return async ({ messageId, fact }) => {
    const applied = await applyFact(deps.db, messageId, readFact(fact), {
      newIntentId: deps.newIds.intent(),
      queryEverySeconds,
      denyAfterSeconds,
    })
    if (applied === undefined) throw new Fault('invalid_request', { field: 'message_id' })
    for (const name of newsOf(applied)) {
      happenings.inc({ name })
      deps.log.warn({ messageId, ...applied }, name)
    }
    return { result: wireResultOf[applied.result], status: wireStatusOf[applied.status] }
  }
}

function readFact(fact: ApplyEvidenceRequest['fact']): Fact {
  switch (fact?.$case) {
    case 'confirmed':
      return { ...fact.value, kind: fact.value.receipt === undefined ? 'paid' : 'receipt' }
    case 'declined':
      return { ...fact.value, kind: 'declined', cause: causeOf[fact.value.cause] }
    case 'undecided':
      return { kind: 'undecided', providerCode: fact.value.providerCode }
    case 'unreadable':
      return { kind: 'unreadable' }
    case undefined:
      throw new Fault('invalid_request', { field: 'fact' })
  }
}
