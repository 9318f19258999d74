import { call } from './call'
import { type Check, orReason, right, wrong } from './check'
import { isLoopback, type Settings, webUrl } from './read-settings'

const name = 'webhook'

/**
 * Sends the developer's endpoint an unsigned test event, which the endpoint must refuse. Its type is that of the hub's
 * test event, so an endpoint that accepts it delivers nothing.
 */
export async function checkWebhook(
  text: string,
  settings: Settings,
  signal: AbortSignal,
): Promise<Check> {
  const url = webUrl(text)
  if (url === undefined) return wrong(name, '--webhook must be a URL with its scheme')
  const body = JSON.stringify({ type: 'webhook.test', timestamp: '1970-01-01T00:00:00Z', data: {} })
  const headers = { 'content-type': 'application/json' }
  const result = await orReason(
    call({ url: url.href, signal, method: 'POST', headers, body }),
    signal,
  )
  if ('reason' in result) return wrong(name, result.reason.what, result.reason.advice)
  const found = judgeAnswer(result.value.status)
  if (found.outcome === 'wrong' || canBeReached(url, settings)) return found
  return wrong(
    name,
    'Malipo sends to https on port 443 only',
    'Use a public address, or see: malipo listen --help',
  )
}

/** Judges an endpoint by the status with which it answered an unsigned event. */
export function judgeAnswer(status: number): Check {
  const finding = `answers ${String(status)} to a request without a signature`
  if (status < 300) {
    return wrong(
      name,
      finding,
      'Anyone could report a payment. Check the signature first: /docs/webhooks',
    )
  }
  if (status < 400)
    return wrong(name, finding, 'Malipo follows no redirect: give the address that it leads to.')
  if (status === 404 || status === 405)
    return wrong(name, finding, 'Nothing takes a POST there: check the path.')
  if (status >= 500) return wrong(name, finding, 'It fails where it should refuse: answer 400.')
  return right(name, `${finding}, as it should`)
}

/** Malipo sends to public addresses over https on port 443; a stack on this machine also sends to this machine. */
function canBeReached(url: URL, { MALIPO_URL: host = '' }: Settings): boolean {
  const stack = webUrl(host)
  if (stack !== undefined && isLoopback(stack) && isLoopback(url)) return true
  return url.protocol === 'https:' && url.port === '' && !isLoopback(url)
}
