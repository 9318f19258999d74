import {
  ProviderMessageKind,
  Rail as WireRail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { present } from '@malipo/contracts/present'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import type { MobileRail, Rail } from '@malipo/kernel/countries'
import type { MessageKind } from '@malipo/kernel/provider-fact'
import type { LedgerConnection } from './connection'
import { retried } from './retried'

/** A provider's message and its subject, found by the callback token or by the body. */
export interface Callback {
  readonly subject:
    | { readonly kind: 'token'; readonly token: string }
    | { readonly kind: 'intent'; readonly intentId: string; readonly rail: MobileRail | 'card' }
    /** A payment from the Pay Bill menu, which had no prompt: the body has the account number. */
    | { readonly kind: 'pay_bill' }
  readonly body: Buffer
  readonly sourceAddress: string
  readonly isSourceKnown: boolean
}

/** A body that our own query fetched for an intent. */
export interface FetchedMessage {
  readonly rail: Rail
  readonly kind: MessageKind
  readonly intentId: string
  readonly body: Uint8Array
}

export interface ProviderMessage {
  readonly rail: Rail
  readonly kind: MessageKind
  readonly body: Uint8Array
  readonly isApplied: boolean
  /** The message's intent; undefined on the rail `paybill`, and for a refund. */
  readonly intentId: string | undefined
  readonly isOfRefund: boolean
  /** The trace in which the intent began, if that trace is kept. */
  readonly traceparent: string | undefined
}

/** The source fields of a message that we fetched over our own TLS connection: its source needs no check. */
const fetchedByUs = { sourceAddress: '', sourceKnown: true }

/** The `store…` calls store a body unchanged, and return its message id. */
export function messageCalls({ reads, writes }: LedgerConnection) {
  return {
    async storeCallback(callback: Callback): Promise<string> {
      const { messageId } = await writes.storeProviderMessage({
        ...subjectOf(callback),
        kind: ProviderMessageKind.CALLBACK,
        body: callback.body,
        sourceAddress: callback.sourceAddress,
        sourceKnown: callback.isSourceKnown,
      })
      return messageId
    },

    async storeProviderMessage(message: FetchedMessage): Promise<string> {
      const { messageId } = await writes.storeProviderMessage({
        rail: wireOf('RAIL', message.rail),
        kind: wireOf('PROVIDER_MESSAGE_KIND', message.kind),
        subject: { $case: 'intentId', value: message.intentId },
        body: Buffer.from(message.body),
        ...fetchedByUs,
      })
      return messageId
    },

    /** Stores an answer about a refund as a callback. Retries for some seconds, because Airtel gives a verdict once. */
    async storeRefundAnswer(
      { rail, queryToken }: { readonly rail: Rail; readonly queryToken: string },
      body: Uint8Array,
    ): Promise<string> {
      const request = {
        rail: wireOf('RAIL', rail),
        // The query token marks this message as an answer to our query, although its kind is CALLBACK.
        kind: ProviderMessageKind.CALLBACK,
        subject: { $case: 'callbackToken', value: queryToken } as const,
        body: Buffer.from(body),
        ...fetchedByUs,
      }
      const { messageId } = await retried(() => writes.storeProviderMessage(request))
      return messageId
    },

    async readProviderMessage(messageId: string): Promise<ProviderMessage> {
      const message = await reads.readProviderMessage({ messageId })
      const { body, applied: isApplied, intentId, refundId, traceparent } = message
      return {
        rail: present(wordOf('RAIL', message.rail), 'rail'),
        kind: present(wordOf('PROVIDER_MESSAGE_KIND', message.kind), 'kind'),
        body,
        isApplied,
        intentId: intentId === '' ? undefined : intentId,
        isOfRefund: refundId !== undefined,
        traceparent,
      }
    },
  }
}

/** The rail is left out for a callback token, from which the ledger knows the intent and its rail. */
function subjectOf({ subject }: Callback) {
  switch (subject.kind) {
    case 'token':
      return {
        rail: WireRail.UNSPECIFIED,
        subject: { $case: 'callbackToken', value: subject.token } as const,
      }
    case 'intent':
      return {
        rail: wireOf('RAIL', subject.rail),
        subject: { $case: 'intentId', value: subject.intentId } as const,
      }
    case 'pay_bill':
      return { rail: WireRail.PAYBILL, subject: undefined }
  }
}
