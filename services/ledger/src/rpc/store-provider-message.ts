import {
  type LedgerServiceServer,
  Rail,
  type StoreProviderMessageRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { happenings } from '@malipo/runtime/metrics'
import type { MessageKind } from '../domain/evidence'
import { readCallbackToken, readRefundToken } from '../domain/ids'
import type { Database } from '../store/database'
import type { NewIds } from '../store/new-ids'
import { storePayBillMessage } from '../store/pay-bill'
import { storeProviderMessage as keepMessage } from '../store/provider-messages'
import { storeRefundMessage } from '../store/refunds'
import { kindOf, railOf } from './wire'

export interface StoreProviderMessageDeps {
  readonly db: Database
  readonly newIds: NewIds
}

const bodyBytesMax = 8_192

/** Keeps what a provider sent, word for word, before anybody reads it. */
export function storeProviderMessage(
  deps: StoreProviderMessageDeps,
): Operations<LedgerServiceServer>['storeProviderMessage'] {
  return async ({ rail, kind: wireKind, subject, body, sourceAddress, sourceKnown }) => {
    const kind = kindOf[wireKind]
    // Only who calls us has a token; who is asked by us, or calls everybody at one address, names the intent.
    if (kind === undefined || (subject?.$case === 'callbackToken' && kind !== 'callback')) {
      throw new Fault('invalid_request', { field: 'kind' })
    }
    if (body.length > bodyBytesMax) throw new Fault('invalid_request', { field: 'body' })
    const message = {
      messageId: deps.newIds.providerMessage(),
      ...{ kind, body, sourceAddress, sourceKnown },
    }
    if (rail === Rail.PAYBILL && subject === undefined) {
      return { messageId: await storePayBillMessage(deps.db, message) }
    }
    const refund = subject?.$case === 'callbackToken' ? readRefundToken(subject.value) : undefined
    if (refund !== undefined) {
      const { refundId, secret: callbackSecret } = refund
      const to = { ...message, refundId, callbackSecret, kind: refund.kind }
      return { messageId: known(kind, await storeRefundMessage(deps.db, to)) }
    }
    const about = readSubject(subject)
    const messageId =
      about &&
      (await keepMessage(deps.db, {
        ...message,
        intentId: about.intentId,
        callbackSecret: about.secret,
        rail: railOf[rail],
      }))
    return { messageId: known(kind, messageId) }
  }
}

/** A message for nobody is counted, and nothing of it is kept. */
function known(kind: MessageKind, messageId: string | undefined): string {
  if (messageId !== undefined) return messageId
  happenings.inc({ name: `${kind}_unknown` })
  throw new Fault('route_not_found', { kind })
}

function readSubject(
  subject: StoreProviderMessageRequest['subject'],
): { readonly intentId: string; readonly secret: string | undefined } | undefined {
  if (subject?.$case === 'callbackToken') return readCallbackToken(subject.value)
  return subject && { intentId: subject.value, secret: undefined }
}
