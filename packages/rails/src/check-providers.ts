import { lookup } from 'node:dns/promises'
import { connect } from 'node:tls'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { openOwnTurns } from './pace'
import type { AskableRail, Prepared } from './rail'
import { openCardRail, openRails, type RailSettings, railVariables } from './registry'
import { settingProblems } from './setting-problems'

/** One thing that was looked at before money is taken over a provider. */
export interface Check {
  readonly what: string
  readonly result: 'good' | 'wrong' | 'not seen'
  /** What was found, and what to do about it. */
  readonly said: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Prompts of M-PESA carry our time, and tokens are kept by it. */
const skewMaxSeconds = 30
const certificateDaysMin = 14
const waitMs = 10_000
const day = 86_400_000
/** A URL has '' where it names none. */
const portNumber = z.preprocess((port) => (port === '' ? '443' : port), z.coerce.number().int())

/**
 * Looks at everything between us and the providers that can be seen from here, with the environment of a worker: the settings,
 * the hosts with their certificates, our clock, our credentials and the address that providers call back. Moves no money and
 * prompts no phone.
 */
export async function checkProviders(
  environment: Environment,
  now: () => number,
): Promise<readonly Check[]> {
  return [
    ...checkSettings(environment),
    ...(await checkHosts(environment, now)),
    ...(await checkCredentials(environment, now)),
    ...(await checkCallbacks(environment)),
    ...unseen(environment),
  ]
}

/** What no program on this side can look at. */
function unseen({ MTN_MOMO_BASE_URL, MTN_MOMO_NEW_BASE_URL }: Environment): readonly Check[] {
  if ((MTN_MOMO_BASE_URL ?? MTN_MOMO_NEW_BASE_URL) === undefined) return []
  return [
    {
      what: 'our address',
      result: 'not seen',
      said: 'MTN takes calls from listed addresses alone: ask your network for the address that calls leave from, and have it listed',
    },
  ]
}

function readRails(environment: Environment) {
  return railVariables.safeParse(environment, {
    error: (issue) => (issue.input === undefined ? 'is missing' : undefined),
  })
}

function checkSettings(environment: Environment): readonly Check[] {
  const read = readRails(environment)
  const wrong = (variable: string, said: string): Check => ({
    what: variable,
    result: 'wrong',
    said,
  })
  const malformed = read.success
    ? []
    : read.error.issues.map(({ path, message }) => wrong(String(path.at(-1)), message))
  const mistaken = settingProblems(environment).map(({ variable, message }) =>
    wrong(variable, message),
  )
  const isOff = read.success && Object.values(read.data).every((rail) => rail === undefined)
  const off = isOff
    ? [wrong('rails', 'no provider is set: give the environment of a worker, as MPESA_BASE_URL')]
    : []
  const found = [...malformed, ...mistaken, ...off]
  return found.length > 0
    ? found
    : [{ what: 'settings', result: 'good', said: 'well formed, and fit each other' }]
}

const hostVariables = [
  'MPESA_BASE_URL',
  'MTN_MOMO_BASE_URL',
  'MTN_MOMO_NEW_BASE_URL',
  'AIRTEL_BASE_URL',
  'CARD_BASE_URL',
] as const

async function checkHosts(environment: Environment, now: () => number): Promise<readonly Check[]> {
  const named = hostVariables.flatMap((variable) => {
    const url = environment[variable] ?? ''
    return URL.canParse(url) ? [{ variable, url: new URL(url) }] : []
  })
  const checked = await Promise.all(
    named.map(async ({ variable, url }) => [
      await checkCertificate(variable, url, now),
      await checkClock(variable, url, now),
    ]),
  )
  return checked.flat()
}

async function checkCertificate(what: string, url: URL, now: () => number): Promise<Check> {
  if (url.protocol !== 'https:') {
    return { what, result: 'not seen', said: `${url.host} is asked without TLS: a simulator's` }
  }
  const until = await certificateEnd(url).catch((error: unknown) => String(error))
  if (typeof until === 'string') {
    return {
      what,
      result: 'wrong',
      said: `${url.host}: ${until}; is the name right, and port 443 open from here?`,
    }
  }
  const days = Math.floor((until - now()) / day)
  const said = `${url.host}: certificate good for ${String(days)} days`
  return { what, result: days < certificateDaysMin ? 'wrong' : 'good', said }
}

/** When the certificate ends that the host shows; refuses one that the system's authorities do not vouch for. */
function certificateEnd({ hostname, port }: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname,
      port: portNumber.parse(port),
      servername: hostname,
      timeout: waitMs,
    })
    socket.once('secureConnect', () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to))
      socket.destroy()
    })
    socket.once('timeout', () => socket.destroy(new Error('no answer')))
    socket.once('error', reject)
  })
}

async function checkClock(variable: string, url: URL, now: () => number): Promise<Check> {
  const what = `clock by ${variable}`
  const date = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(waitMs),
  })
    .then(({ headers }) => Date.parse(headers.get('date') ?? ''))
    .catch(() => Number.NaN)
  if (Number.isNaN(date)) return { what, result: 'not seen', said: `${url.host} tells no time` }
  const seconds = Math.round(Math.abs(now() - date) / 1_000)
  return seconds > skewMaxSeconds
    ? {
        what,
        result: 'wrong',
        said: `ours differs by ${String(seconds)} s: run NTP on this machine`,
      }
    : { what, result: 'good', said: `ours differs by ${String(seconds)} s` }
}

async function checkCredentials(
  environment: Environment,
  now: () => number,
): Promise<readonly Check[]> {
  const read = readRails(environment)
  if (!read.success) return []
  return Promise.all(
    openAll(read.data, now).map(async (rail): Promise<Check> => {
      const what = `credentials of ${rail.name}`
      return credentialCheck(what, await rail.checkCredentials())
    }),
  )
}

function openAll(settings: RailSettings, now: () => number): readonly AskableRail[] {
  const wiring = { now, wait, takeTurn: openOwnTurns(now), countEvent: () => undefined }
  const card = openCardRail(settings, wiring)
  return [...openRails(settings, wiring).values(), ...(card === undefined ? [] : [card])]
}

function credentialCheck(what: string, prepared: Prepared): Check {
  return prepared.kind === 'ready'
    ? { what, result: 'good', said: 'taken' }
    : { what, result: 'wrong', said: `${prepared.detail}: compare them with the provider's portal` }
}

async function checkCallbacks({ CALLBACK_BASE_URL = '' }: Environment): Promise<readonly Check[]> {
  const what = 'CALLBACK_BASE_URL'
  if (!URL.canParse(CALLBACK_BASE_URL)) {
    return [{ what, result: 'wrong', said: 'is not set: providers have nowhere to call back' }]
  }
  const { hostname } = new URL(CALLBACK_BASE_URL)
  const isFound = await lookup(hostname).then(
    () => true,
    () => false,
  )
  if (!isFound)
    return [{ what, result: 'wrong', said: `${hostname} has no address: add it to your DNS` }]
  const status = await fetch(CALLBACK_BASE_URL, { signal: AbortSignal.timeout(waitMs) }).then(
    (answer) => answer.status,
    () => undefined,
  )
  return [
    status === undefined
      ? {
          what,
          result: 'wrong',
          said: `${hostname} does not answer from here: is the gateway behind it?`,
        }
      : {
          what,
          result: 'good',
          said: `${hostname} answers ${String(status)} from here; a provider may still be kept out`,
        },
  ]
}
