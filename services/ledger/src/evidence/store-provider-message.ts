import {
  Rail,
  type StoreProviderMessageRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Caller } from '@malipo/runtime/caller-identity'
import { notableEvents } from '@malipo/runtime/metrics'
import type { Ledger, Operation } from '../operation'
import { readCallbackToken, readRefundToken } from '../database/ids'
import { storePayBillMessage } from '../pay-bill/store/pay-bill'
import { storeRefundMessage } from '../refunds/store/store-refund-message'
import type { Received } from './rules/decide-evidence'
import {
  openStoreMessage,
  type StoredMessage,
  type StoreMessageCommand,
} from './store/provider-messages'

export const bodyBytesMax = 8_192

/** Stores what a provider sent, byte for byte, before it is parsed. */
export function storeProviderMessage(deps: Ledger): Operation<'storeProviderMessage'> {
  const keeping = { ...deps, store: openStoreMessage(deps) }
  return async ({ rail, kind: wireKind, subject, body, sourceAddress, sourceKnown }, caller) => {
    const kind = wordOf('PROVIDER_MESSAGE_KIND', wireKind)
    if (kind !== undefined && !mayStore(caller, kind, subject)) {
      throw new Fault('invalid_request', { field: 'kind' })
    }
    // Only a callback has a token: an answer to our query, or a callback to a shared address, names the intent.
    if (kind === undefined || (subject?.$case === 'callbackToken' && kind !== 'callback')) {
      throw new Fault('invalid_request', { field: 'kind' })
    }
    if (body.length > bodyBytesMax) throw new Fault('invalid_request', { field: 'body' })
    const message = {
      messageId: deps.newIds.providerMessage(),
      ...{ kind, body, sourceAddress, sourceKnown },
    }
    const messageId = await keep(keeping, message, { rail, subject })
    if (messageId !== undefined) return { messageId }
    notableEvents.inc({ name: `${kind}_unknown` })
    throw new Fault('route_not_found', { kind })
  }
}

/**
 * A gateway stores what providers send, and a worker what it fetched from them: a gateway that was broken into must not
 * pass off a forged text as an answer of a provider. The answer to a refund also comes from a worker, by the token of the
 * refund.
 */
function mayStore(
  caller: Caller,
  kind: Received['kind'],
  subject: StoreProviderMessageRequest['subject'],
): boolean {
  if (caller.startsWith('gateway-')) return kind === 'callback'
  const isOfRefund =
    subject?.$case === 'callbackToken' && readRefundToken(subject.value) !== undefined
  return kind !== 'callback' || isOfRefund
}

type Message = Pick<
  StoreMessageCommand,
  'messageId' | 'kind' | 'body' | 'sourceAddress' | 'sourceKnown'
>

interface Keeping extends Pick<Ledger, 'db' | 'pool'> {
  readonly store: (command: StoreMessageCommand) => Promise<StoredMessage>
}

/** Stores a message about an attempt, a refund or the Pay Bill menu; undefined where its token or id is unknown. */
async function keep(
  { db, pool, store }: Keeping,
  message: Message,
  { rail, subject }: Pick<StoreProviderMessageRequest, 'rail' | 'subject'>,
): Promise<string | undefined> {
  if (rail === Rail.PAYBILL && subject === undefined) return storePayBillMessage(db, message)
  const refund = subject?.$case === 'callbackToken' ? readRefundToken(subject.value) : undefined
  if (refund !== undefined) {
    const { refundId, secret: callbackSecret, kind } = refund
    return storeRefundMessage(pool, { ...message, refundId, callbackSecret, kind })
  }
  const about = readSubject(subject)
  if (about === undefined) return undefined
  const { intentId, secret: callbackSecret } = about
  const command = { ...message, intentId, callbackSecret, rail: wordOf('RAIL', rail) }
  return (await store(command)).messageId
}

function readSubject(
  subject: StoreProviderMessageRequest['subject'],
): { readonly intentId: string; readonly secret: string | undefined } | undefined {
  if (subject?.$case === 'callbackToken') return readCallbackToken(subject.value)
  return subject && { intentId: subject.value, secret: undefined }
}
