import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, basic, card, type RunningSimulator } from '../../start.harness'

export const orderId = 'pi_0f4c8a5d2b7e4f1c9a6d3e8b'
export const enrolled = '5123450000000008'
export const notEnrolled = '5111111111111118'
export const returnUrl = 'https://pay.example/c/x/card/y/return'

/** The response to a payer's browser. */
export interface Page {
  readonly status: number
  readonly text: string
  readonly location: string | undefined
}

/** The gateway's wire as a merchant sees it, and its pages as a payer's browser does. */
export function cardClient(sim: RunningSimulator) {
  const authorization = basic(`merchant.${card.merchantId}`, card.apiPassword)
  const base = (version = card.version) =>
    `/api/rest/version/${version}/merchant/${card.merchantId}`
  const call = (
    method: string,
    path: string,
    body?: object,
    { headers = { authorization }, version = card.version } = {},
  ) =>
    sim.wire(method, base(version) + path, {
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })

  const browse = async (path: string, form?: Record<string, string>): Promise<Page> => {
    const response = await fetch(sim.url + path, {
      redirect: 'manual',
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    const location = response.headers.get('location') ?? undefined
    return { status: response.status, text: await response.text(), location }
  }

  return {
    call,
    browse,
    /** Asks for a session for KES 1,552.00, unless `changes` say otherwise. */
    ask: (changes: SessionChanges = {}, authorised = true): Promise<Answer> =>
      call(
        'POST',
        '/session',
        {
          apiOperation: changes.apiOperation ?? 'INITIATE_CHECKOUT',
          interaction: {
            operation: 'PURCHASE',
            merchant: { name: 'Malipo Payments' },
            returnUrl,
            cancelUrl: `${returnUrl}?left=cancelled`,
            timeout: 900,
            timeoutUrl: `${returnUrl}?left=timed_out`,
            ...changes.interaction,
          },
          order: {
            ...{ id: orderId, amount: '1552.00', currency: 'KES', description: 'Payment' },
            ...changes.order,
          },
          customer: { email: 'amina@example.com' },
        },
        {
          headers: { authorization: authorised ? authorization : basic('merchant.X', 'y') },
          ...(changes.version !== undefined && { version: changes.version }),
        },
      ),
    async open(changes?: SessionChanges): Promise<{ id: string; successIndicator: string }> {
      const { body } = await this.ask(changes)
      return { id: String(body.session.id), successIndicator: String(body.successIndicator) }
    },
    pay: (session: string, number: string, expiry = '01/39') => {
      const [month = '', year = ''] = expiry.split('/')
      const form = { number, month, year, csc: '100', name: 'AMINA W KAMAU' }
      return browse(`/checkout/pay/${session}`, form)
    },
    prove: (session: string, answer: 'yes' | 'no') =>
      browse(`/checkout/3ds/${session}`, { answer }),
    order: (id = orderId) => call('GET', `/order/${id}`),
    change: (transaction: string, body: object) =>
      call('PUT', `/order/${orderId}/transaction/${transaction}`, body),
  }
}

export interface SessionChanges {
  readonly version?: string
  readonly apiOperation?: string
  readonly order?: Record<string, unknown>
  readonly interaction?: Record<string, unknown>
}

export interface Notified {
  readonly secret: IncomingHttpHeaders[string]
  readonly body: ReturnType<typeof JSON.parse>
}

/** A server for the gateway's notifications, and those that it received. */
export async function openNotified() {
  const notified: Notified[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const secret = request.headers['x-notification-secret']
      notified.push({ secret, body: JSON.parse(Buffer.concat(chunks).toString()) })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}/callbacks/card`,
    notified,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
