import type { AuditEventPage } from '@malipo/interface/hub'
import { systemClock } from '@malipo/runtime/clock'

/** The hub's origin: only its pages may call the hub's API. */
export const ownOrigin = 'https://auth.example'
export const password = 'correct horse battery'

/**
 * Stops the clock of the rate limits, so that a slow test stays within one minute. Returns a function that releases
 * it.
 */
export function holdClock(): () => void {
  const held = jest.spyOn(systemClock, 'now').mockReturnValue(systemClock.now())
  return () => {
    held.mockRestore()
  }
}

/** The identity of a browser in a test. */
export interface From {
  readonly address?: string
  readonly userAgent?: string
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The response envelope. Each test casts its data. */
  readonly body: ReturnType<typeof JSON.parse>
}

/** Plays a browser with the hub's pages: it sends back its cookies, and with a change the CSRF token and its origin. */
export interface Browser {
  get(path: string): Promise<Reply>
  post(path: string, body?: object): Promise<Reply>
  put(path: string, body: object): Promise<Reply>
  /** Sends the request with exactly the given headers. */
  send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Reply>
  signIn(username: string, tried?: string): Promise<Reply>
  /** The actions in the audit log, newest first. */
  actions(): Promise<string[]>
  readonly cookie: () => string
  readonly csrfToken: () => string
}

export function openBrowser(url: string, from: From = {}): Browser {
  const { address = '203.0.113.1', userAgent = 'Firefox' } = from
  const own = { 'x-forwarded-for': address, 'user-agent': userAgent }
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies.values()].join('; ')
  let csrfToken = ''

  const send: Browser['send'] = async (method, path, headers, body) => {
    const answer = await fetch(`${url}/v1/hub${path}`, {
      method,
      headers: { ...own, ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    const parsed: Reply['body'] = isJson ? JSON.parse(text) : {}
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      cookies.set(pair.split('=')[0] ?? '', pair)
    }
    csrfToken = parsed.data?.csrf_token ?? csrfToken
    return { status: answer.status, headers: answer.headers, text, body: parsed }
  }
  const change = (method: string) => (path: string, body?: object) => {
    const headers = {
      cookie: cookie(),
      origin: ownOrigin,
      'sec-fetch-site': 'same-origin',
      'x-csrf-token': csrfToken,
      ...(body && { 'content-type': 'application/json' }),
    }
    return send(method, path, headers, body && JSON.stringify(body))
  }
  const get = (path: string) =>
    send('GET', path, { cookie: cookie(), 'sec-fetch-site': 'same-origin' })
  return {
    get,
    async actions() {
      const { data } = (await get('/audit-events')).body as { data: AuditEventPage }
      return data.events.map(({ action }) => action)
    },
    post: change('POST'),
    put: change('PUT'),
    send,
    signIn: (username, tried = password) =>
      change('POST')('/sign-in', { username, password: tried }),
    cookie,
    csrfToken: () => csrfToken,
  }
}
