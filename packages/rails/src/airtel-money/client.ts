import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto'
import type { CountryRules } from '@malipo/kernel/countries'
import type { SubmitOutcome } from '@malipo/kernel/provider-fact'
import {
  type Exchange,
  exchange,
  type ExchangeRequest,
  readJson,
  type Issued,
  openAuthorised,
  openTokens,
  preparedOf,
  requestToken,
} from '../exchange'
import { inLine, type Throttled, tooLate } from '../line'
import type { Prepared, Prompt, Rail, RailWiring } from '../rail'
import { type Allowance, openAllowance } from './allowance'
import { issuedKey, keyPath } from './encryption-key'
import { commonHeaders, nationalNumber, payBody } from './outbound'
import { readPayAnswer, checkSignature } from './inbound'
import { codeOf, isNotFound, isSignatureRefused } from './response-codes'
import { openRefunds } from './refund'
import type { AirtelMoneySettings } from './settings'
import { transactionIdOf } from './transaction-id'
import { answer as answerShape, enquiry } from './wire'

/** The deadline of one call to Airtel, up to the last byte of its answer. */
const timeoutMs = 15_000
/** The most bytes read of an answer: the ledger stores no longer body. A usual answer is a tenth of that. */
const answerBytesMax = 8_192
/** A token is not used in its last 20 s, so that it is still valid when the call ends. It lives three minutes. */
const tokenEarlyMs = 20_000
/** The encryption key is fetched anew this long before its end, so that no payer waits for the fetch. */
const keyRenewMs = 600_000

/** The provider code of a call that was not made, because Airtel would have refused it for its rate. */
const spent = 'no call left in this minute'
const keptForOthers = `${spent} beside those for payers who wait`

/** The rail `airtel_money` over Airtel's Collection API: the USSD push, signed if settings say v2, and the enquiry. */
export function openAirtelMoney(
  settings: AirtelMoneySettings,
  rules: CountryRules,
  wiring: RailWiring,
): Rail {
  const allowance = openAllowance(wiring.now)
  const { call, checkCredentials } = openCollection(settings, { allowance, rules }, wiring)
  const { post, prepare } = openPayments(settings, call, wiring)

  const submit = async (prompt: Prompt): Promise<SubmitOutcome> => {
    const msisdn = nationalNumber(prompt.phone, rules)
    if (msisdn === undefined) {
      return { kind: 'refused', cause: 'not_registered', providerCode: 'of another country' }
    }
    const outcome = await inLine(wiring, () => pay(prompt, msisdn))
    const isOurs = outcome.kind === 'refused' && outcome.cause === 'refused'
    if (isOurs) wiring.countEvent('provider_misconfigured')
    return outcome
  }

  // Airtel does not document that it refuses a repeated id, so after a lost answer we enquire and never send again.
  const pay = async (prompt: Prompt, msisdn: string): Promise<SubmitOutcome | Throttled> => {
    if (!allowance.take('prompt')) return { kind: 'throttled', providerCode: spent }
    const body = JSON.stringify(payBody(prompt, msisdn, rules))
    const answer = await post(body, prompt.sendByMs)
    if (answer.kind === 'lost') return { kind: 'unknown', detail: answer.detail }
    if (answer.kind === 'not_sent') return answer
    const read = readPayAnswer(answer.status, answer.body)
    if (read.kind !== 'accepted') return read
    return { kind: 'accepted', providerRequestId: transactionIdOf(prompt.intentId) }
  }

  const askStatus: Rail['askStatus'] = async (transactionId, _platform, _reference, isWatch) => {
    const isLeft = allowance.take(isWatch === true ? 'watch' : 'other')
    if (!isLeft) return { kind: 'unanswered', detail: keptForOthers }
    const path = `/standard/v1/payments/${encodeURIComponent(transactionId)}`
    const answer = await call({ method: 'GET', path })
    if (answer.kind !== 'answered') return { kind: 'unanswered', detail: answer.detail }
    if (answer.status === 429) wiring.countEvent('provider_throttled')
    const detail = besideThePoint(answer, transactionId)
    return detail === undefined
      ? { kind: 'answered', bodies: [answer.body] }
      : { kind: 'unanswered', detail }
  }

  // Airtel cannot be asked how a refund ended, so no refund is sent while the rate limit would refuse it.
  const callForRefund: CollectionCall = async (request) =>
    allowance.take('other') ? call(request) : { kind: 'not_sent', detail: keptForOthers }

  return {
    name: 'airtel_money',
    ...(prepare && { prepare }),
    checkCredentials,
    submit,
    requestIdOf: transactionIdOf,
    askStatus,
    // Airtel has no statement to search: only an enquiry returns a receipt.
    findInStatement: () => Promise.resolve({ kind: 'unanswered', detail: 'no statement' }),
    checkSignature: (body) => checkSignature(body, settings.callbackKey),
    ...(settings.refunds && { refunds: openRefunds(callForRefund, wiring) }),
  }
}

interface Payments {
  readonly post: (body: string, sendByMs: number) => Promise<Exchange>
  /** Fetches the encryption key for signatures ahead of the first payment. Absent with v1, which does not sign. */
  readonly prepare?: () => Promise<Prepared>
}

function openPayments(
  { apiVersion }: AirtelMoneySettings,
  call: CollectionCall,
  wiring: RailWiring,
): Payments {
  const request = { method: 'POST', path: `/merchant/${apiVersion}/payments/` } as const
  if (apiVersion === 'v1') {
    return { post: (body, sendByMs) => call({ ...request, body, sendByMs }) }
  }
  const keys = openTokens(
    async () => issuedKey(await call({ method: 'GET', path: keyPath }), wiring.now()),
    { now: wiring.now, renewMs: keyRenewMs, earlyMs: tokenEarlyMs },
  )
  const signed = openAuthorised(keys, isSignatureRefused, wiring)
  return {
    post: (body, sendByMs) =>
      signed((key) => call({ ...request, body, sendByMs, headers: signatureOf(body, key) })),
    async prepare() {
      return preparedOf(await keys.renewed())
    },
  }
}

type CollectionCall = (request: CollectionRequest) => Promise<Exchange>
interface Collection {
  readonly call: CollectionCall
  readonly checkCredentials: () => Promise<Prepared>
}
type CollectionRequest = Pick<ExchangeRequest, 'method' | 'body'> &
  Partial<Pick<ExchangeRequest, 'headers'>> & {
    readonly path: string
    /** The call is not sent after this time. */
    readonly sendByMs?: number
  }

function openCollection(
  settings: AirtelMoneySettings,
  { allowance, rules }: { readonly allowance: Allowance; readonly rules: CountryRules },
  wiring: RailWiring,
): Collection {
  const common = commonHeaders(rules)
  const tokens = openTokens(() => issueToken(settings), {
    now: wiring.now,
    renewMs: tokenEarlyMs,
    earlyMs: tokenEarlyMs,
  })
  // Airtel documents no code for a refused token: the status is all there is to go by.
  const authorised = openAuthorised(tokens, (answer) => answer.status === 401, wiring)
  const call: CollectionCall = ({ path, headers, sendByMs = Infinity, ...request }) =>
    authorised(async (token) => {
      if (wiring.now() > sendByMs) return tooLate
      const answer = await exchange({
        ...request,
        url: settings.baseUrl + path,
        headers: { ...common, ...headers, authorization: `Bearer ${token}` },
        timeoutMs,
        bodyBytesMax: answerBytesMax,
      })
      if (answer.kind === 'answered') allowance.note(answer.headers)
      return answer
    })
  return { call, checkCredentials: async () => preparedOf(await tokens.renewed()) }
}

/** Why an answer is not about the payment; undefined when it is. */
function besideThePoint(
  { status, body }: Extract<Exchange, { kind: 'answered' }>,
  transactionId: string,
): string | undefined {
  const json = readJson(body)
  const enquired = enquiry.safeParse(json)
  if (status === 200 && enquired.success) {
    const { id } = enquired.data.data.transaction
    // The portal prints ids with their middle hidden; such an id cannot show that the payment is another.
    const isOurs = id === '' || id.includes('*') || id.toLowerCase() === transactionId
    return isOurs ? undefined : 'another payment'
  }
  const parsed = answerShape.safeParse(json)
  if (!parsed.success) return `http ${String(status)}`
  // With a 5xx status "not found" may come from a fault of the server.
  if (status < 500 && isNotFound(parsed.data)) return undefined
  return `http ${String(status)}, ${codeOf(parsed.data)}`
}

/**
 * The headers that sign a message of v2. Airtel decrypts `x-key`, encrypts the body that came and compares the outcome
 * with `x-signature`, so what is signed must be sent byte for byte.
 */
function signatureOf(body: string, publicKey: string): Record<string, string> {
  const key = randomBytes(32)
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  const signature = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()])
  const keyAndIv = Buffer.from(`${key.toString('base64')}:${iv.toString('base64')}`)
  // Airtel takes this padding alone.
  const padding = constants.RSA_PKCS1_PADDING
  return {
    'x-signature': signature.toString('base64'),
    'x-key': publicEncrypt({ key: publicKey, padding }, keyAndIv).toString('base64'),
  }
}

/** Short, because a prompt must not use up its time on the token. */
const tokenTimeoutMs = 10_000

function issueToken(settings: AirtelMoneySettings): Promise<Issued> {
  return requestToken({
    method: 'POST',
    url: `${settings.baseUrl}/auth/oauth2/token`,
    headers: { accept: '*/*', 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      grant_type: 'client_credentials',
    }),
    timeoutMs: tokenTimeoutMs,
  })
}
