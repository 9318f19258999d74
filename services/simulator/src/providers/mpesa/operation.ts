import { drawHex } from '../../sessions/rules/draw'
import { jsonAnswer, type Operation, type Understood } from '../rules/rail'
import type { Facets } from '../../faults/rules/rule'
import { callBack } from '../call-back'
import { asFields, fieldText, type Fields } from '../wire-call'
import { errorAnswer, refuse, refuseField } from './errors'
import { isGoodCallbackUrl } from './fields'
import { nextRequestId } from './ids'
import type { Mpesa } from './state'
import { tokenProblem } from './issue-token'

/** The ids of an order: the merchant's own or a new one, and Daraja's. */
export interface OperationIds {
  readonly originatorConversationId: string
  readonly conversationId: string
}

export interface OrderCall {
  readonly moment: Operation['moment']
  readonly path: string
  /** What `CommandID` may be. */
  readonly commands: readonly string[]
  readonly understand: (mpesa: Mpesa, fields: Fields) => Understood
}

/** An order of the short code's operator. It is accepted at once; its result is sent later (providers.md 2.5). */
export function orderOperation(
  mpesa: Mpesa,
  { moment, path, commands, understand }: OrderCall,
): Operation {
  return {
    ...{ moment, path, method: 'POST', takesLies: true },
    understand(call) {
      const isStatus = commands.includes('TransactionStatusQuery')
      const problem = tokenProblem(mpesa, call, isStatus ? 'invalid_token_c2b' : 'invalid_token')
      if (problem !== undefined) return refuse(mpesa, problem)
      const fields = asFields(call.json)
      if (fields === undefined) return refuse(mpesa, 'invalid_payload')
      if (!commands.includes(fieldText(fields, 'CommandID'))) return refuseField(mpesa, 'CommandID')
      for (const field of ['ResultURL', 'QueueTimeOutURL']) {
        if (!isGoodCallbackUrl(fieldText(fields, field), mpesa.settings))
          return refuseField(mpesa, field)
      }
      if (!/^.{2,100}$/.test(fieldText(fields, 'Remarks'))) return refuseField(mpesa, 'Remarks')
      return understand(mpesa, fields)
    },
  }
}

export interface Order {
  readonly fields: Fields
  readonly facets: Facets
  /** Carries the order out, after the check of its operator. */
  readonly run: (ids: OperationIds) => OperationEnd
}

export interface OperationEnd {
  readonly code: string
  readonly text: string
  readonly transactionId: string
  /** The parameters of the result, by name; absent for a failed order. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** Accepts an order, and sends its result to its ResultURL, or by a rule a timeout to its QueueTimeOutURL. */
export function takeOrder(mpesa: Mpesa, { fields, facets, run }: Order): Understood {
  const given = fieldText(fields, 'OriginatorConversationID')
  const perform = (lie?: string) => {
    if (given !== '' && mpesa.ordersSeen.get(given)) {
      return { answer: errorAnswer('duplicate_order', nextRequestId(mpesa)) }
    }
    const ids = nextOperationIds(mpesa, given)
    mpesa.ordersSeen.set(ids.originatorConversationId, true)
    if (lie === 'queue_timeout') sendTimeout(mpesa, ids, { fields, facets })
    else {
      const end = lie === undefined ? endOf(mpesa, fields, () => run(ids)) : endOfLie(lie)
      sendResult(mpesa, ids, { fields, facets, end })
    }
    return { answer: acceptOperation(ids) }
  }
  return { kind: 'understood', facets, perform }
}

/** The end of an order by a rule of kind `lie`, with the portal's text for the code where there is one. */
function endOfLie(code: string): OperationEnd {
  const known = Object.entries(operationTexts).find(([one]) => one === code)
  return { code, text: known?.[1] ?? 'An error occurred', transactionId: '0000000000' }
}

function endOf(mpesa: Mpesa, fields: Fields, run: () => OperationEnd): OperationEnd {
  return isOperator(mpesa, fields) ? run() : failed('2001')
}

/** Whether the initiator may give orders; if not, the order fails with `2001`. */
function isOperator({ settings, operatorKey }: Mpesa, fields: Fields): boolean {
  const { operator } = settings
  const initiator = fieldText(fields, 'Initiator') || fieldText(fields, 'InitiatorName')
  const credential = fieldText(fields, 'SecurityCredential')
  if (operator?.initiator !== initiator || credential === '') return false
  if (operator.securityCredential === credential) return true
  return operator.password !== undefined && operatorKey.decrypted(credential) === operator.password
}

/** The ids of an order. The merchant may give the first, as the portal shows for payouts; a used one is refused. */
function nextOperationIds(mpesa: Mpesa, given: string): OperationIds {
  const originatorConversationId = given || nextRequestId(mpesa)
  const tail = drawHex(mpesa.world.seed, `conversation ${originatorConversationId}`, 20)
  return { originatorConversationId, conversationId: `AG_20261120_${tail}` }
}

function acceptOperation({ originatorConversationId, conversationId }: OperationIds) {
  return jsonAnswer(200, {
    OriginatorConversationID: originatorConversationId,
    ConversationID: conversationId,
    ResponseCode: '0',
    ResponseDescription: 'Accept the service request successfully.',
  })
}

/** The result codes of orders, with the words of the portal. */
export const operationTexts = {
  '0': 'The service request is processed successfully.',
  '1': 'The balance is insufficient for the transaction.',
  '2': 'Declined due to limit rule: less than the minimum transaction amount.',
  '3': 'Declined due to limit rule: greater than the maximum transaction amount.',
  '26': 'System busy. The service request is rejected.',
  '2001': 'The initiator information is invalid.',
  '2040':
    "Credit Party customer type (Unregistered or Registered Customer) can't be supported by the service.",
  R000001: 'The transaction has already been reversed.',
  R000002: 'The OriginalTransactionID is invalid.',
} as const

export function failed(code: keyof typeof operationTexts): OperationEnd {
  return { code, text: operationTexts[code], transactionId: '0000000000' }
}

export function succeeded(
  transactionId: string,
  parameters: NonNullable<OperationEnd['parameters']>,
): OperationEnd {
  return { code: '0', text: operationTexts[0], transactionId, parameters }
}

/** A JSON number, except for codes with letters. */
function codeOnWire(code: string): unknown {
  return /^(?:0|[1-9]\d*)$/.test(code) ? numberOnWire(code) : code
}

/** `500.00` -> `500`, for fields that the portal prints as numbers and not as text. */
export function numberOnWire(text: string): unknown {
  return JSON.parse(text)
}

interface Ended extends Pick<Order, 'fields' | 'facets'> {
  readonly end: OperationEnd
}

function sendResult(mpesa: Mpesa, ids: OperationIds, { fields, facets, end }: Ended): void {
  const url = fieldText(fields, 'ResultURL')
  const { code, text, transactionId, parameters } = end
  const body = {
    ResultType: 0,
    ResultCode: codeOnWire(code),
    ResultDesc: text,
    ...conversationOf(ids),
    TransactionID: transactionId,
    ...(parameters && {
      ResultParameters: {
        ResultParameter: Object.entries(parameters).map(([Key, Value]) => ({ Key, Value })),
      },
    }),
    ReferenceData: {
      ReferenceItem: { Key: 'QueueTimeoutURL', Value: fieldText(fields, 'QueueTimeOutURL') },
    },
  }
  send(mpesa, ids, { url, facets, result: code, body })
}

/** The portal does not print this body, so it is the one that a client parses (RafaelJohn9/mpesakit). */
function sendTimeout(mpesa: Mpesa, ids: OperationIds, { fields, facets }: Omit<Ended, 'end'>) {
  const body = {
    ResultType: 1,
    ResultCode: 1,
    ResultDesc: 'The service request timed out.',
    ...conversationOf(ids),
  }
  const url = fieldText(fields, 'QueueTimeOutURL')
  send(mpesa, ids, { url, facets, result: 'queue_timeout', body })
}

function conversationOf({ originatorConversationId, conversationId }: OperationIds) {
  return { OriginatorConversationID: originatorConversationId, ConversationID: conversationId }
}

interface Sent extends Pick<Order, 'facets'> {
  readonly url: string
  readonly result: string
  readonly body: object
}

function send(mpesa: Mpesa, ids: OperationIds, { url, facets, result, body }: Sent): void {
  const { business, msisdn = '', amountMinor = 0n } = facets
  callBack(mpesa.world, mpesa.deliver, {
    url,
    facets: { business, msisdn, amountMinor },
    reference: ids.originatorConversationId,
    result,
    isAmountFixed: true,
    body: () => JSON.stringify({ Result: body }),
    settled: () => undefined,
  })
}
