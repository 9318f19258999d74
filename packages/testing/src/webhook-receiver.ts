import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** How a merchant's server answers; undefined: never. */
type AnswerWebhook = (request: Received) => { status: number; location?: string } | undefined

/** A merchant's server on this machine, which keeps what it received. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Sets the answer to all later requests. */
  answers(answer: AnswerWebhook): void
  stop(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let answer: AnswerWebhook = () => ({ status: 200 })
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = { headers: request.headers, body: Buffer.concat(chunks).toString() }
      received.push(one)
      const answered = answer(one)
      if (answered === undefined) return
      const { status, location } = answered
      response.writeHead(status, location === undefined ? {} : { location }).end('thanks')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/webhooks`,
    received,
    answers(next) {
      answer = next
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

/** Verifies a request with the public Standard Webhooks library; throws when the secret did not sign it. */
export function verified(secret: string, { headers, body }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>)
}

/** A request as the public library signs it now. */
export function signed(secret: string, body: string): Received {
  const now = new Date()
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
  }
  return { headers, body }
}
