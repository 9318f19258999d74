import { randomInt } from 'node:crypto'
import { type Exchange, exchange } from '../exchange'
import { readJson } from '../json'
import type { Fetched, Prompt, Rail, RailWiring, StatementSearch, SubmitOutcome } from '../rail'
import { meaningOfError } from './error-codes'
import { pushBody, queryBody, statementBody } from './outbound'
import { readPushAnswer } from './push-answer'
import type { MpesaSettings } from './settings'
import { openTokens } from './token'
import { errorAnswer, queryAnswer, statementPage, statementRow } from './wire'

/** What a provider may take to answer, from the first byte to the last. */
const timeoutMs = 15_000
/** The ledger keeps bodies of at most 8 KB; an answer about one payment is a tenth of that. */
const answerBytesMax = 8_192
const pageBytesMax = 1_048_576
/** A statement of ten minutes has few pages; this bounds one that never ends. */
const pagesMax = 20
/** A prompt that Daraja turns away for its rate waits in line this long, then the payer hears "busy". */
const throttledMaxMs = 20_000

/** The rail `mpesa`: STK push, its status query, and the statement, over Daraja. */
export function openMpesa(settings: MpesaSettings, wiring: RailWiring): Rail {
  const call = openDaraja(settings, wiring)

  const submit = async (prompt: Prompt): Promise<SubmitOutcome> => {
    const startedAtMs = wiring.now()
    for (let tries = 0; ; tries += 1) {
      const outcome = await push(prompt)
      if (outcome.kind !== 'throttled') return outcome
      wiring.happened('provider_throttled')
      const waitMs = randomInt(250, Math.min(500 * 2 ** tries, 4_000))
      if (wiring.now() + waitMs - startedAtMs > throttledMaxMs) {
        return { kind: 'refused', cause: 'busy', providerCode: outcome.providerCode }
      }
      await wiring.wait(waitMs)
    }
  }

  const push = async (prompt: Prompt) => {
    const body = pushBody(prompt, settings, wiring.now())
    const answer = await call('/mpesa/stkpush/v1/processrequest', body, answerBytesMax)
    if (answer.kind === 'lost') return { kind: 'unknown', detail: answer.detail } as const
    if (answer.kind === 'not_sent') return answer
    return readPushAnswer(answer.status, answer.body)
  }

  const askStatus = async (providerRequestId: string): Promise<Fetched> => {
    const body = queryBody(providerRequestId, settings, wiring.now())
    const answer = await call('/mpesa/stkpushquery/v1/query', body, answerBytesMax)
    if (answer.kind !== 'answered') return { kind: 'unanswered', detail: answer.detail }
    return isAboutThePayment(answer.body)
      ? { kind: 'answered', bodies: [answer.body] }
      : unanswered(answer)
  }

  const findInStatement = async (search: StatementSearch): Promise<Fetched> => {
    const found: Uint8Array[] = []
    let rowOffset = 0
    for (let page = 0; page < pagesMax && found.length === 0; page += 1) {
      const body = statementBody(search, settings, { nowMs: wiring.now(), rowOffset })
      const answer = await call('/pulltransactions/v1/query', body, pageBytesMax)
      if (answer.kind !== 'answered') return { kind: 'unanswered', detail: answer.detail }
      const parsed = statementPage.safeParse(readJson(answer.body))
      if (!parsed.success) return unanswered(answer)
      const rows = parsed.data.Response.flat()
      if (rows.length === 0) break
      found.push(...rows.filter((row) => isOf(search, row)).map(bodyOf))
      rowOffset += rows.length
    }
    return { kind: 'answered', bodies: found }
  }

  return { name: 'mpesa', submit, askStatus, findInStatement }
}

type Call = (path: string, body: object, bodyBytesMax: number) => Promise<Exchange>

/** Calls Daraja with a token; one that Daraja refuses is replaced, and the call repeated, once. */
function openDaraja(settings: MpesaSettings, wiring: RailWiring): Call {
  const tokens = openTokens(settings, wiring.now)
  return async (path, body, bodyBytesMax) => {
    const attempt = async () => {
      const token = await tokens.current()
      if (token.kind === 'unavailable') return { kind: 'not_sent', detail: token.detail } as const
      const answer = await exchange({
        method: 'POST',
        url: settings.baseUrl + path,
        headers: { authorization: `Bearer ${token.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs,
        bodyBytesMax,
      })
      if (!isTokenRefused(answer)) return answer
      tokens.forget(token.token)
      wiring.happened('provider_token_refused')
      return { ...answer, isTokenRefused: true } as const
    }
    const first = await attempt()
    // The door turned the request away before anybody read it, so this cannot be a second prompt.
    return 'isTokenRefused' in first ? attempt() : first
  }
}

function isTokenRefused(answer: Exchange): answer is Extract<Exchange, { kind: 'answered' }> {
  return answer.kind === 'answered' && meaningOf(answer.body) === 'token_refused'
}

/** A verdict, or one of the two ways of saying "still processing". Other errors are about our question. */
function isAboutThePayment(body: Uint8Array): boolean {
  return queryAnswer.safeParse(readJson(body)).success || meaningOf(body) === 'processing'
}

function meaningOf(body: Uint8Array) {
  const error = errorAnswer.safeParse(readJson(body))
  return error.success ? meaningOfError(error.data)?.kind : undefined
}

function unanswered(answer: Extract<Exchange, { kind: 'answered' }>): Fetched {
  const error = errorAnswer.safeParse(readJson(answer.body))
  const code = error.success ? `, ${error.data.code}` : ''
  return { kind: 'unanswered', detail: `http ${String(answer.status)}${code}` }
}

/** The reference comes back as the payer's statement has it, in whatever case. */
function isOf(search: StatementSearch, row: unknown): boolean {
  const parsed = statementRow.safeParse(row)
  if (!parsed.success) return false
  return parsed.data.billreference.trim().toUpperCase() === search.attemptReference.toUpperCase()
}

/** A whole page is more than the ledger keeps, so the row is cut out; its fields stay as they came. */
function bodyOf(row: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(row))
}
