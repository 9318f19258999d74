import { randomInt } from 'node:crypto'
import type { SubmitOutcome } from '@malipo/kernel/provider-fact'
import {
  type Exchange,
  exchange,
  type ExchangeRequest,
  readJson,
  type Issued,
  openAuthorised,
  openTokens,
  requestToken,
  type Tokens,
} from '../exchange'
import { inLine, type Throttled, tooLate } from '../line'
import { openPace } from '../pace'
import type { Fetched, Prepared, Prompt, Rail, RailWiring } from '../rail'
import { notFound } from './reason-codes'
import { commonHeaders, payBody, payHeaders, referenceIdOf } from './outbound'
import { readMtnMomo, readPayAnswer } from './inbound'
import { type MtnMomoSettings, platformNames, type PlatformSettings } from './settings'
import { errorAnswer, transaction } from './wire'

/** The deadline of one call to MTN, up to the last byte of its answer. */
const timeoutMs = 15_000
/** The most bytes read of an answer: the ledger stores no longer body. A usual answer is a tenth of that. */
const answerBytesMax = 8_192
/** MTN wants a token to be replaced ten minutes before its end. The old one is used until the next one is there. */
const tokenRenewMs = 600_000
const tokenEarlyMs = 30_000
/** A request to pay is sent at most three times when answers are lost: with the same reference it prompts only once. */
const triesMax = 3
/**
 * A request is repeated only if its answer was lost within this time. With its pause (1 s), its wait in line (20 s) and
 * its answer (15 s) it has ended by 66 s, and the status is first queried at 75 s: then "not found" means that no
 * request is on its way. Whatever else the repeat waits for, it is not sent after the prompt's time.
 */
const repeatWithinMs = 30_000
/** MTN caps our status calls at ten a second; all workers together keep to nine. */
const statusPace = { everyMs: 110, waitMaxMs: 5_000 }

/** The rail `mtn_momo`: request to pay and its status, over MTN's Collection API, on one platform or on two. */
export function openMtnMomo(settings: MtnMomoSettings, wiring: RailWiring): Rail {
  const platforms = openPlatforms(settings, wiring)

  const submit = async (prompt: Prompt): Promise<SubmitOutcome> => {
    const startedAtMs = wiring.now()
    for (let tries = 1; ; tries += 1) {
      const outcome = await inLine(wiring, () => pay(prompt))
      if (outcome.kind === 'accepted') return outcome
      // A refused repeat proves nothing about the first request, whose answer was lost.
      if (outcome.kind !== 'unknown') return tries === 1 ? reported(outcome) : lost(outcome)
      const isLate = wiring.now() - startedAtMs > repeatWithinMs
      if (tries === triesMax || isLate) return outcome
      await wiring.wait(randomInt(250, 1_000))
    }
  }

  const reported = (outcome: SubmitOutcome): SubmitOutcome => {
    const isOurs = outcome.kind === 'refused' && outcome.cause === 'refused'
    if (isOurs) wiring.countEvent('provider_misconfigured')
    return outcome
  }

  const pay = async (prompt: Prompt): Promise<SubmitOutcome | Throttled> => {
    const platform = platforms.get(settings.platform)
    if (platform === undefined) return { kind: 'not_sent', detail: 'its platform is off' }
    const answer = await platform.pay(
      {
        method: 'POST',
        path: '/collection/v1_0/requesttopay',
        headers: payHeaders(prompt),
        body: JSON.stringify(payBody(prompt, settings)),
      },
      prompt.sendByMs,
    )
    if (answer.kind === 'lost') return { kind: 'unknown', detail: answer.detail }
    if (answer.kind === 'not_sent') return answer
    const read = readPayAnswer(answer.status, answer.body)
    if (read.kind !== 'accepted') return read
    return { kind: 'accepted', providerRequestId: referenceIdOf(prompt.intentId) }
  }

  return {
    name: 'mtn_momo',
    platform: settings.platform,
    prepare: () => prepare(platforms),
    checkCredentials: () => prepare(platforms),
    submit,
    requestIdOf: referenceIdOf,
    askStatus: openAskStatus(platforms, settings, wiring),
    // MTN has no statement to search: only a status query returns a receipt.
    findInStatement: () => Promise.resolve({ kind: 'unanswered', detail: 'no statement' }),
  }
}

/**
 * Asks the platform that took a payment. A restored database may not know which: then each is asked, the answer of the
 * one that has the payment counts, and "not found" only when all say so.
 */
function openAskStatus(
  platforms: ReadonlyMap<string, Platform>,
  settings: MtnMomoSettings,
  wiring: Pick<RailWiring, 'countEvent'>,
): Rail['askStatus'] {
  const ask = async (
    name: string,
    referenceId: string,
    attemptReference: string | undefined,
  ): Promise<Fetched> => {
    const platform = platforms.get(name)
    if (platform === undefined) {
      return { kind: 'unanswered', detail: `platform ${name} has no credentials` }
    }
    const path = `/collection/v1_0/requesttopay/${encodeURIComponent(referenceId)}`
    const answer = await platform.ask(path)
    if (answer.kind !== 'answered') return { kind: 'unanswered', detail: answer.detail }
    if (answer.status === 429) wiring.countEvent('provider_throttled')
    const detail = besideThePoint(answer, settings, attemptReference)
    return detail === undefined
      ? { kind: 'answered', bodies: [answer.body] }
      : { kind: 'unanswered', detail }
  }
  return async (referenceId, takenBy, attemptReference) => {
    const names = takenBy === undefined ? [...platforms.keys()] : [takenBy]
    const fetched = await Promise.all(names.map((name) => ask(name, referenceId, attemptReference)))
    const unfound = { kind: 'answered', bodies: fetched.flatMap(bodiesOf) } as const
    return fetched.find(isFound) ?? fetched.find(({ kind }) => kind === 'unanswered') ?? unfound
  }
}

function isFound(fetched: Fetched): boolean {
  const facts = bodiesOf(fetched).map((body) => readMtnMomo('query_answer', body))
  return facts.some(({ kind }) => kind !== 'not_found')
}

function bodiesOf(fetched: Fetched): readonly Uint8Array[] {
  return fetched.kind === 'answered' ? fetched.bodies : []
}

type CollectionRequest = Pick<ExchangeRequest, 'method' | 'headers' | 'body'> & {
  readonly path: string
}

/** One of MTN's platforms: its own credentials, tokens and limit of status calls. */
interface Platform {
  readonly tokens: Tokens
  /** The request is not sent later than `sendByMs`. */
  pay(request: CollectionRequest, sendByMs: number): Promise<Exchange>
  /** Each exchange takes a turn, and is not sent when too many status calls are in line. */
  ask(path: string): Promise<Exchange>
}

function openPlatforms(
  settings: MtnMomoSettings,
  wiring: RailWiring,
): ReadonlyMap<string, Platform> {
  const platforms = new Map<string, Platform>()
  for (const name of platformNames) {
    const platform = settings.platforms[name]
    if (platform !== undefined) platforms.set(name, openPlatform(settings, name, platform, wiring))
  }
  return platforms
}

async function prepare(platforms: ReadonlyMap<string, Platform>): Promise<Prepared> {
  const prepared = await Promise.all(
    [...platforms].map(async ([name, { tokens }]) => ({ name, token: await tokens.renewed() })),
  )
  const details = prepared.flatMap(({ name, token }) =>
    token.kind === 'unavailable' ? [`platform ${name}: ${token.detail}`] : [],
  )
  if (details.length === 0) return { kind: 'ready' }
  return { kind: 'unavailable', detail: details.join('; ') }
}

const tooManyInLine = { kind: 'not_sent', detail: 'too many status calls in line' } as const

function openPlatform(
  settings: MtnMomoSettings,
  name: string,
  platform: PlatformSettings,
  wiring: RailWiring,
): Platform {
  const tokens = openTokens(() => issueToken(settings, platform), {
    now: wiring.now,
    renewMs: tokenRenewMs,
    earlyMs: tokenEarlyMs,
  })
  const authorised = openAuthorised(tokens, isTokenRefused, wiring)
  const turn = openPace({ ...statusPace, name: `mtn_momo:status:${name}` }, wiring)
  const call = (token: string, { path, headers, ...request }: CollectionRequest) =>
    exchange({
      ...request,
      url: platform.baseUrl + path,
      headers: { ...commonHeaders(settings), ...headers, authorization: `Bearer ${token}` },
      timeoutMs,
      bodyBytesMax: answerBytesMax,
    })
  return {
    tokens,
    pay: (request, sendByMs) =>
      authorised((token) =>
        wiring.now() > sendByMs ? Promise.resolve(tooLate) : call(token, request),
      ),
    // The turn is taken after the wait for a token: an earlier turn would be over when the call is made.
    ask: (path) =>
      authorised(async (token) =>
        (await turn()) ? call(token, { method: 'GET', path, headers: {} }) : tooManyInLine,
      ),
  }
}

type Answered = Extract<Exchange, { kind: 'answered' }>

/** The gateway in front refuses subscription keys with the same 401, and a new token would not help. */
function isTokenRefused({ status, body }: Answered): boolean {
  const error = errorAnswer.safeParse(readJson(body))
  return status === 401 && !(error.success && /subscription key/i.test(error.data.message))
}

/** Why an answer is not about the payment; undefined when it is. */
function besideThePoint(
  { status, body }: Answered,
  settings: MtnMomoSettings,
  attemptReference: string | undefined,
): string | undefined {
  const json = readJson(body)
  const parsed = transaction.safeParse(json)
  if (status === 200 && parsed.success) {
    const { currency, externalId } = parsed.data
    if (currency !== settings.currency) return `a payment in ${currency.slice(0, 8)}`
    const isNamed = externalId !== '' && attemptReference !== undefined
    return isNamed && externalId !== attemptReference ? 'a payment of another reference' : undefined
  }
  const error = errorAnswer.safeParse(json)
  const code = error.success ? error.data.code : 'no code'
  return status === 404 && code === notFound ? undefined : `http ${String(status)}, ${code}`
}

function lost(outcome: Exclude<SubmitOutcome, { kind: 'accepted' | 'unknown' }>): SubmitOutcome {
  const word = outcome.kind === 'refused' ? outcome.providerCode : outcome.detail
  return { kind: 'unknown', detail: `no answer, then ${outcome.kind}: ${word}` }
}

/** The new platform takes 10 to 20 seconds. Tokens are fetched ahead, so a prompt seldom waits so long. */
const tokenTimeoutMs = 25_000

/**
 * Asks for a token of the Collection product. The call has no body but a length of 0: MTN refuses a body, and a call
 * without a length. The new platform requires the environment; for the old one it is optional.
 */
function issueToken(settings: MtnMomoSettings, platform: PlatformSettings): Promise<Issued> {
  const credentials = Buffer.from(`${platform.userId}:${platform.secret}`).toString('base64')
  return requestToken({
    method: 'POST',
    url: `${platform.baseUrl}/collection/token/`,
    headers: {
      authorization: `Basic ${credentials}`,
      ...commonHeaders(settings),
    },
    timeoutMs: tokenTimeoutMs,
  })
}
