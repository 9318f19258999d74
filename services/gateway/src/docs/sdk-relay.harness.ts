import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

/** The fault injected into a request on its way to the host, or an answer of the relay's own. */
type Trouble =
  | 'none'
  | 'request lost'
  | 'answer lost'
  | 'answer cut'
  | 'page of a proxy'
  | 'silence'
  | 'answer stalls'
  | 'endless'
  | 'not held'
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body?: string
    }

export interface Relay {
  /** POST /relay sets the troubles of the next requests; GET /relay returns the headers of the requests since then. */
  readonly url: string
  close(): void
}

/** A proxy between an SDK in another language and the host, which the tests in that language steer. */
export async function openRelay(hostUrl: string): Promise<Relay> {
  let troubles: Trouble[] = ['none']
  let requests: IncomingMessage['headers'][] = []
  const control = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST') {
      troubles = ((await json(request)) as { troubles: Trouble[] }).troubles
      requests = []
    }
    response.end(JSON.stringify(requests))
  }
  const server = createServer((request, response) => {
    if (request.url === '/relay') {
      void control(request, response)
      return
    }
    requests.push(request.headers)
    const trouble = troubles.length > 1 ? troubles.shift() : troubles[0]
    void pass(hostUrl, trouble ?? 'none', { request, response })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

async function pass(hostUrl: string, trouble: Trouble, exchange: Exchange): Promise<void> {
  const { request, response } = exchange
  if (typeof trouble === 'object') {
    response.writeHead(trouble.status, trouble.headers).end(trouble.body ?? '{}')
  } else if (trouble === 'page of a proxy') {
    response.writeHead(200).end('<html>Sign in</html>')
  } else if (trouble === 'endless') {
    await pipeline(endless(), response.writeHead(200)).catch(() => undefined)
  } else if (trouble === 'answer stalls') {
    response.writeHead(200).write(' ')
  } else if (trouble === 'request lost') {
    request.socket.destroy()
  } else if (trouble !== 'silence') {
    await relayed(hostUrl, trouble, exchange)
  }
}

async function relayed(hostUrl: string, trouble: Trouble, { request, response }: Exchange) {
  const { method = '', url = '', headers } = request
  const kept = ['authorization', 'content-type', 'idempotency-key', 'prefer'] as const
  const passed = kept.flatMap((name): [string, string][] => {
    const value = headers[name]
    const isLeft = typeof value !== 'string' || (name === 'prefer' && trouble === 'not held')
    return isLeft ? [] : [[name, value]]
  })
  const body = method === 'POST' ? await text(request) : null
  const answer = await fetch(`${hostUrl}${url}`, { method, headers: passed, body })
  const answered = await answer.text()
  if (trouble === 'answer lost') {
    request.socket.destroy()
  } else if (trouble === 'answer cut') {
    response.writeHead(answer.status, { 'Content-Length': String(Buffer.byteLength(answered)) })
    response.write(answered.slice(0, -5), () => request.socket.destroy())
  } else {
    response.writeHead(answer.status).end(answered)
  }
}

function* endless() {
  for (;;) yield Buffer.alloc(65_536, ' ')
}
