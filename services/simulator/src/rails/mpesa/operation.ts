import type { Minor } from '@malipo/kernel/money'
import { drawHex } from '../../domain/draw'
import { jsonAnswer, type Understood, type WireCall } from '../../domain/rail'
import { callBack } from '../call-back'
import { asFields, fieldText, type Fields } from '../wire-call'
import { isGoodCallbackUrl } from './fields'
import { nextRequestId } from './ids'
import { refuse, refuseField } from './refuse'
import type { Mpesa } from './state'
import { tokenProblem } from './tokens'

/** A command of the short code's operator: accepted at once, its result sent to an address (providers.md 2.5). */
export interface OperationIds {
  readonly originatorConversationId: string
  readonly conversationId: string
}

export function understandOperation(
  mpesa: Mpesa,
  call: WireCall,
  command: string,
  understand: (fields: Fields) => Understood,
): Understood {
  const problem = tokenProblem(mpesa, call, 'invalid_token')
  if (problem !== undefined) return refuse(mpesa, problem)
  const fields = asFields(call.json)
  if (fields === undefined) return refuse(mpesa, 'invalid_payload')
  if (fieldText(fields, 'CommandID') !== command) return refuseField(mpesa, 'CommandID')
  for (const field of ['ResultURL', 'QueueTimeOutURL']) {
    if (!isGoodCallbackUrl(fieldText(fields, field))) return refuseField(mpesa, field)
  }
  if (!/^.{2,100}$/.test(fieldText(fields, 'Remarks'))) return refuseField(mpesa, 'Remarks')
  return understand(fields)
}

/** `2001`: the initiator is not allowed to give the command. */
export function isOperator(mpesa: Mpesa, fields: Fields): boolean {
  const { operator } = mpesa.settings
  const isKnown = operator?.initiator === fieldText(fields, 'Initiator')
  return isKnown && operator.securityCredential === fieldText(fields, 'SecurityCredential')
}

export function nextOperationIds(mpesa: Mpesa): OperationIds {
  const originatorConversationId = nextRequestId(mpesa)
  const tail = drawHex(mpesa.world.seed, `conversation ${originatorConversationId}`, 20)
  return { originatorConversationId, conversationId: `AG_20261120_${tail}` }
}

export function acceptOperation({ originatorConversationId, conversationId }: OperationIds) {
  return jsonAnswer(200, {
    OriginatorConversationID: originatorConversationId,
    ConversationID: conversationId,
    ResponseCode: '0',
    ResponseDescription: 'Accept the service request successfully.',
  })
}

export interface OperationEnd {
  readonly ids: OperationIds
  readonly url: string
  readonly code: string
  readonly text: string
  readonly transactionId: string
  readonly msisdn: string
  readonly amountMinor: Minor
  /** By name; absent when it failed. */
  readonly parameters?: Readonly<Record<string, string | number>>
}

/** The result codes of a reversal, with the words of the portal. */
export const operationTexts = {
  '0': 'The service request is processed successfully.',
  R000001: 'The transaction has already been reversed.',
  R000002: 'The OriginalTransactionID is invalid.',
  '2001': 'The initiator information is invalid.',
} as const

/** A number, but for those with letters. */
function codeOnWire(code: string): unknown {
  return /^\d+$/.test(code) ? JSON.parse(code) : code
}

/** Tells the end of a command to its address. */
export function sendResult(mpesa: Mpesa, end: OperationEnd): void {
  const { ids, code, msisdn, amountMinor, parameters } = end
  callBack(mpesa.world, mpesa.deliver, {
    url: end.url,
    facets: { business: mpesa.settings.shortCode, msisdn, amountMinor },
    reference: ids.originatorConversationId,
    result: code,
    body: () =>
      JSON.stringify({
        Result: {
          ResultType: 0,
          ResultCode: codeOnWire(code),
          ResultDesc: end.text,
          OriginatorConversationID: ids.originatorConversationId,
          ConversationID: ids.conversationId,
          TransactionID: end.transactionId,
          ...(parameters && {
            ResultParameters: {
              ResultParameter: Object.entries(parameters).map(([Key, Value]) => ({ Key, Value })),
            },
          }),
          ReferenceData: {
            ReferenceItem: { Key: 'QueueTimeoutURL', Value: end.url },
          },
        },
      }),
    settled: () => undefined,
  })
}
