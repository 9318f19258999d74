import { type Exchange, exchange, type ExchangeRequest } from '../exchange'
import { readJson } from '../json'
import { inLine, type Throttled } from '../line'
import type { Fetched, Prompt, Rail, RailWiring, SubmitOutcome } from '../rail'
import { openAuthorised, openTokens } from '../tokens'
import { commonHeaders, nationalNumber, payBody } from './outbound'
import { readPayAnswer } from './pay-answer'
import { codeOf, isNotFound } from './response-codes'
import { checkSeal } from './seal'
import type { AirtelMoneySettings } from './settings'
import { issueToken } from './token'
import { transactionIdOf } from './transaction-id'
import { answer as answerShape, enquiry } from './wire'

/** What a provider may take to answer, whole (design: provider call 15 s). */
const timeoutMs = 15_000
/** The ledger keeps bodies of at most 8 KB; a whole answer is a tenth of that. */
const answerBytesMax = 8_192
/** Tokens live for three minutes; a call that begins with one must also end with it. */
const tokenEarlyMs = 20_000

/** The rail `airtel_money`: USSD push and its enquiry, over Airtel's Collection API v1. */
export function openAirtelMoney(settings: AirtelMoneySettings, wiring: RailWiring): Rail {
  const call = openCollection(settings, wiring)

  const submit = async (prompt: Prompt): Promise<SubmitOutcome> => {
    const msisdn = nationalNumber(prompt.phone)
    if (msisdn === undefined) {
      return { kind: 'refused', cause: 'not_registered', providerCode: 'not a Ugandan number' }
    }
    const outcome = await inLine(wiring, () => pay(prompt, msisdn))
    const isOurs = outcome.kind === 'refused' && outcome.cause === 'refused'
    if (isOurs) wiring.happened('provider_misconfigured')
    return outcome
  }

  // Airtel is said to refuse a repeated id, but not by Airtel: a lost answer is enquired about and never sent again.
  const pay = async (prompt: Prompt, msisdn: string): Promise<SubmitOutcome | Throttled> => {
    const body = JSON.stringify(payBody(prompt, msisdn))
    const answer = await call({ method: 'POST', path: '/merchant/v1/payments/', body })
    if (answer.kind === 'lost') return { kind: 'unknown', detail: answer.detail }
    if (answer.kind === 'not_sent') return answer
    const read = readPayAnswer(answer.status, answer.body)
    if (read.kind !== 'accepted') return read
    return { kind: 'accepted', providerRequestId: transactionIdOf(prompt.intentId) }
  }

  const askStatus = async (transactionId: string): Promise<Fetched> => {
    const path = `/standard/v1/payments/${encodeURIComponent(transactionId)}`
    const answer = await call({ method: 'GET', path })
    if (answer.kind !== 'answered') return { kind: 'unanswered', detail: answer.detail }
    if (answer.status === 429) wiring.happened('provider_throttled')
    const detail = besideThePoint(answer)
    return detail === undefined
      ? { kind: 'answered', bodies: [answer.body] }
      : { kind: 'unanswered', detail }
  }

  return {
    name: 'airtel_money',
    submit,
    requestIdOf: transactionIdOf,
    askStatus,
    // Airtel has no statement to search. A receipt comes with the enquiry, or not yet.
    findInStatement: () => Promise.resolve({ kind: 'unanswered', detail: 'no statement' }),
    checkSeal: (body) => checkSeal(body, settings.callbackKey),
  }
}

type CollectionRequest = Pick<ExchangeRequest, 'method' | 'body'> & { readonly path: string }

function openCollection(settings: AirtelMoneySettings, wiring: RailWiring) {
  const tokens = openTokens(() => issueToken(settings), {
    now: wiring.now,
    renewMs: tokenEarlyMs,
    earlyMs: tokenEarlyMs,
  })
  // Airtel documents no code for a refused token: the status is all there is to go by.
  const authorised = openAuthorised(tokens, (answer) => answer.status === 401, wiring)
  return ({ path, ...request }: CollectionRequest): Promise<Exchange> =>
    authorised((token) =>
      exchange({
        ...request,
        url: settings.baseUrl + path,
        headers: { ...commonHeaders, authorization: `Bearer ${token}` },
        timeoutMs,
        bodyBytesMax: answerBytesMax,
      }),
    )
}

/** What else an answer is about, or undefined when it is about the payment. */
function besideThePoint({
  status,
  body,
}: Extract<Exchange, { kind: 'answered' }>): string | undefined {
  const json = readJson(body)
  if (status === 200 && enquiry.safeParse(json).success) return undefined
  const parsed = answerShape.safeParse(json)
  if (!parsed.success) return `http ${String(status)}`
  // A server that is in trouble may well find nothing.
  if (status < 500 && isNotFound(parsed.data)) return undefined
  return `http ${String(status)}, ${codeOf(parsed.data)}`
}
