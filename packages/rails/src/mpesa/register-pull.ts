import { z } from 'zod'
import { readJson } from '../exchange'
import type { RailWiring } from '../rail'
import { type Call, openDaraja } from './daraja'
import { isShortCodeRefused, isSystemBusy, meaningOfError } from './result-codes'
import { type MpesaSettings, receivingNumber } from './settings'
import { type ErrorAnswer, errorAnswer } from './wire'

const answerBytesMax = 8_192
/** 1000: registered. 1001: was registered before. Safaricom's collection has a space in the key, its portal none. */
const answerShape = z
  .object({ ResponseStatus: z.string().optional(), 'Response Status': z.string().optional() })
  .transform((answer) => answer.ResponseStatus ?? answer['Response Status'])
  .pipe(z.enum(['1000', '1001']))

export interface PullRegistration {
  readonly isDone: boolean
  readonly message: string
}

/**
 * Asks Safaricom to give out the statement of a short code (Pull Transactions), once for the life of the short code.
 * `phone` is the number that was nominated for it; the call needs a `callbackUrl`, where nothing is read. The portal
 * wants the short code of going live. Which one that is for a till is not known, so its store and the till are
 * registered.
 */
export async function registerPull(
  settings: MpesaSettings,
  wiring: RailWiring,
  request: PullRequest,
): Promise<PullRegistration> {
  const { call } = openDaraja(settings, wiring)
  const registered: PullRegistration[] = []
  for (const shortCode of new Set([settings.shortcode, receivingNumber(settings)])) {
    registered.push(await registerOne(call, shortCode, request))
  }
  return {
    isDone: registered.some(({ isDone }) => isDone),
    message: registered.map(({ message }) => message).join('\n'),
  }
}

interface PullRequest {
  readonly phone: string
  readonly callbackUrl: string
}

async function registerOne(
  call: Call,
  ShortCode: string,
  { phone, callbackUrl }: PullRequest,
): Promise<PullRegistration> {
  const body = { ShortCode, RequestType: 'Pull', NominatedNumber: phone, CallBackURL: callbackUrl }
  const answer = await call('/pulltransactions/v1/register', body, answerBytesMax)
  if (answer.kind !== 'answered') return { isDone: false, message: `no answer: ${answer.detail}` }
  const json = readJson(answer.body)
  const registered = answerShape.safeParse(json)
  if (registered.success) {
    const isNew = registered.data === '1000'
    return {
      isDone: true,
      message: `${ShortCode} ${isNew ? 'is' : 'was'} registered${isNew ? '' : ' before'}`,
    }
  }
  const error = errorAnswer.safeParse(json)
  if (!error.success) return { isDone: false, message: `HTTP ${String(answer.status)}` }
  const { code, message } = error.data
  const advice = adviceOf(error.data, ShortCode)
  return { isDone: false, message: [`${code} ${message}`, ...advice].join(': ') }
}

/** What to do about a refusal; nothing where its code leaves open what is wrong. */
function adviceOf(error: ErrorAnswer, shortCode: string): readonly string[] {
  if (isShortCodeRefused(error))
    return [`ask Safaricom's API support to grant Pull Transactions to ${shortCode}`]
  const meaning = meaningOfError(error)?.kind
  if (meaning === 'token_refused')
    return ['compare the consumer key and its secret with an app that has Pull Transactions']
  // A repeat does no harm: a short code may be registered twice.
  const mayBeRepeated = meaning === 'throttled' || isSystemBusy(error)
  return mayBeRepeated ? ['run this again in some minutes'] : []
}
