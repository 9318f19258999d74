import { connect } from 'node:tls'
import { z } from 'zod'

/** The result of one check, made before money is taken over a provider. */
export interface Check {
  readonly what: string
  readonly result: 'good' | 'wrong' | 'not seen'
  /** What was found, and what to do about it. */
  readonly finding: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Our clock may be off by this much: prompts of M-PESA carry our time, and tokens expire by it. */
const skewMaxSeconds = 30
const certificateDaysMin = 14
export const waitMs = 10_000
const day = 86_400_000
/** `URL.port` is '' where a URL names no port, which means 443 for https. */
const portNumber = z.preprocess((port) => (port === '' ? '443' : port), z.coerce.number().int())

const hostVariables = [
  'MPESA_BASE_URL',
  'MTN_MOMO_BASE_URL',
  'MTN_MOMO_NEW_BASE_URL',
  'AIRTEL_BASE_URL',
  'CARD_BASE_URL',
] as const

/** Checks the host of each provider: its certificate, and our clock against the clock of the host. */
export async function checkHosts(
  environment: Environment,
  now: () => number,
): Promise<readonly Check[]> {
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
    return { what, result: 'not seen', finding: `${url.host} is asked without TLS: a simulator's` }
  }
  const until = await certificateEnd(url).catch((error: unknown) => String(error))
  if (typeof until === 'string') {
    return {
      what,
      result: 'wrong',
      finding: `${url.host}: ${until}; is the name right, and port 443 open from here?`,
    }
  }
  const days = Math.floor((until - now()) / day)
  const finding = `${url.host}: certificate good for ${String(days)} days`
  return { what, result: days < certificateDaysMin ? 'wrong' : 'good', finding }
}

/** Returns when the certificate of a host ends; rejects one that Node does not trust for this host. */
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
  if (Number.isNaN(date))
    return { what, result: 'not seen', finding: `${url.host} sends no Date header` }
  const seconds = Math.round(Math.abs(now() - date) / 1_000)
  return seconds > skewMaxSeconds
    ? {
        what,
        result: 'wrong',
        finding: `ours differs by ${String(seconds)} s: run NTP on this machine`,
      }
    : { what, result: 'good', finding: `ours differs by ${String(seconds)} s` }
}
