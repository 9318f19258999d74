import { type Answered, call } from './call'
import { type Check, orReason, right, skipped, wrong } from './check'
import { documentPath, readHostDocument } from './find-hub'
import { plain } from './output'

export interface HostChecks {
  /** Whether a payments host of Malipo answered: only then is the key sent there. */
  readonly isMalipo: boolean
  readonly checks: readonly Check[]
}

/** A webhook whose time is five minutes off is refused, so a clock that drifts is reported long before that. */
const clockSecondsMax = 30

/** Checks TLS, the host and the clock with one request, which does not carry the key. */
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
  // The host wrote the time about midway through the wait, and cut it to whole seconds, so it lacks half a second.
  const seconds = Math.round((Date.now() - ms / 2 - theirs - 500) / 1_000)
  const off = `${String(Math.abs(seconds))} s ${seconds < 0 ? 'behind' : 'ahead of'} the host`
  if (Math.abs(seconds) <= clockSecondsMax) return right('clock', off)
  return wrong('clock', off, 'Set it by network time: a webhook five minutes off is refused.')
}
