import { type Answered, call } from './call'
import { type Check, orReason, right, skipped, wrong } from './check'
import { documentPath, readHostDocument } from './find-hub'
import { plain } from './output'

export interface HostChecks {
  /** A payments host of Malipo result. */
  readonly isMalipo: boolean
  readonly checks: readonly Check[]
}

/** Webhooks are refused when they are five minutes off; a clock that is this much off is on its way there. */
const clockSecondsMax = 30

/** TLS, host and clock, by one request without the key. */
export async function checkHost(host: string, signal: AbortSignal): Promise<HostChecks> {
  const result = await orReason(call({ url: `${host}${documentPath}`, signal }), signal)
  if ('reason' in result) {
    const { what, advice, isTls } = result.reason
    return { isMalipo: false, checks: [wrong(isTls === true ? 'TLS' : 'host', what, advice)] }
  }
  const { value } = result
  const isHttps = new URL(host).protocol === 'https:'
  const detail = isHttps ? 'the certificate is valid' : 'not needed on this machine'
  const tls = right('TLS', detail)
  const document = readHostDocument(value.text)
  if (document !== undefined) {
    const named = right('host', `${plain(document.title)}, answered in ${String(value.ms)} ms`)
    return { isMalipo: true, checks: [tls, named, checkClock(value)] }
  }
  const found = `answers ${String(value.status)}, and is no payments host of Malipo`
  const named = wrong(
    'host',
    found,
    'MALIPO_URL is the payments host of your country, not the hub.',
  )
  return { isMalipo: false, checks: [tls, named] }
}

function checkClock({ headers, ms }: Answered): Check {
  const theirs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(theirs)) return skipped('clock', 'the host does not tell its time')
  // The header has whole seconds, and was written while this program waited.
  const seconds = Math.round((Date.now() - ms / 2 - theirs - 500) / 1_000)
  const off = `${String(Math.abs(seconds))} s ${seconds < 0 ? 'behind' : 'ahead of'} the host`
  if (Math.abs(seconds) <= clockSecondsMax) return right('clock', off)
  return wrong('clock', off, 'Set it by network time: a webhook five minutes off is refused.')
}
