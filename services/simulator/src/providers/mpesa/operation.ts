import { drawHex } from '../../sessions/rules/draw'
import { jsonAnswer, type Understood, type WireCall } from '../rules/rail'
import type { Facets } from '../../faults/rules/rule'
import { callBack } from '../call-back'
import { asFields, fieldText, type Fields } from '../wire-call'
import { errorAnswer, refuse, refuseField } from './errors'
import { isGoodCallbackUrl } from './fields'
import { nextRequestId } from './ids'
import type { Mpesa } from './state'
import { tokenProblem } from './issue-token'

/** A command of the short code's operator: accepted at once, its result sent to an address (providers.md 2.5). */
export interface OperationIds {
  readonly originatorConversationId: string
  readonly conversationId: string
}

export function understandOperation(
  mpesa: Mpesa,
  call: WireCall,
  commands: readonly string[],
  understand: (fields: Fields) => Understood,
): Understood {
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
  return understand(fields)
}

export interface Order {
  readonly fields: Fields
  readonly facets: Facets
  /** Carries it out, for an operator who may order it. */
  readonly run: (ids: OperationIds) => OperationEnd
}

export interface OperationEnd {
  readonly code: string
  readonly text: string
  readonly transactionId: string
  /** By name; absent when it failed. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** Accepts an order, and tells its end to the address for results, or for orders that time out in the queue. */
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

/** With the portal's words where it has some. */
function endOfLie(code: string): OperationEnd {
  const known = Object.entries(operationTexts).find(([one]) => one === code)
  return { code, text: known?.[1] ?? 'An error occurred', transactionId: '0000000000' }
}

function endOf(mpesa: Mpesa, fields: Fields, run: () => OperationEnd): OperationEnd {
  return isOperator(mpesa, fields) ? run() : failed('2001')
}

/** `2001`: the initiator is not allowed to give the command. */
function isOperator({ settings, operatorKey }: Mpesa, fields: Fields): boolean {
  const { operator } = settings
  const initiator = fieldText(fields, 'Initiator') || fieldText(fields, 'InitiatorName')
  const credential = fieldText(fields, 'SecurityCredential')
  if (operator?.initiator !== initiator || credential === '') return false
  if (operator.securityCredential === credential) return true
  return operator.password !== undefined && operatorKey.decrypted(credential) === operator.password
}

/** The calls for payouts let the merchant name an order; by that name it is carried out once. */
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

/** A number, except for codes with letters. */
function codeOnWire(code: string): unknown {
  return /^(?:0|[1-9]\d*)$/.test(code) ? numberOnWire(code) : code
}

/** `500.00` -> `500`: where the portal prints a number and not a text. */
export function numberOnWire(text: string): unknown {
  return JSON.parse(text)
}

interface Ended extends Pick<Order, 'fields' | 'facets'> {
  readonly end: OperationEnd
}

/** Tells the end of a command to its address. */
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

/** The portal prints no such body: this is the one that clients parse (RafaelJohn9/mpesakit). */
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
  const { msisdn = '', amountMinor = 0n } = facets
  callBack(mpesa.world, mpesa.deliver, {
    url,
    facets: { business: mpesa.settings.shortCode, msisdn, amountMinor },
    reference: ids.originatorConversationId,
    result,
    isAmountFixed: true,
    body: () => JSON.stringify({ Result: body }),
    settled: () => undefined,
  })
}
