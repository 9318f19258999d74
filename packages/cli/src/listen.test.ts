import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from '@malipo/sdk'
import type { Forwarded } from './forward-event'
import { showEvent } from './listen'
import { run, withServer } from './run-cli.harness'

const key = Buffer.alloc(32, 7)
const secret = `whsec_${key.toString('base64')}`
const id = 'cs_ke_0123456789abcdef01234567'
const event = { type: 'checkout.completed', timestamp: '2026-11-22T09:00:00.000Z', data: { id } }
const body = JSON.stringify(event)

function signed(): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac('sha256', key).update(`evt_1.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

interface Listening {
  readonly address: string
  readonly events: Forwarded[]
}

/** Runs `malipo listen --forward-to TARGET` while `use` runs, then ends it as Ctrl-C does. Returns its exit code. */
async function listening(
  target: string,
  use: (listening: Listening) => Promise<void>,
  env: Record<string, string> = {},
): Promise<number> {
  const stop = new AbortController()
  const events: Forwarded[] = []
  let ran = Promise.resolve({ exitCode: -1 })
  const address = await new Promise<string>((ready, fail) => {
    const onOutput = (line: string) => {
      const printed = JSON.parse(line) as Forwarded & { address?: string }
      if (printed.address === undefined) events.push(printed)
      else ready(printed.address)
    }
    const words = `listen --forward-to ${target} --port 0`
    ran = run(words, { env, signal: stop.signal, onOutput })
    ran.then(({ exitCode }) => {
      fail(new Error(`It ended with ${String(exitCode)}`))
    }, fail)
  })
  await use({ address, events }).finally(() => {
    stop.abort()
  })
  return (await ran).exitCode
}

const post = (url: string, headers: Record<string, string>, sent: string | Buffer = body) =>
  fetch(url, { method: 'POST', headers, body: sent })

test('forwards the signed event unchanged, returns the answer, and exits with 0 on Ctrl-C', async () => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  await withServer(
    (request, response) => {
      void text(request).then((got) => {
        received.push({ headers: request.headers, body: got })
        response.writeHead(204).end()
      })
    },
    async (url) => {
      const ended = await listening(`${url}/hooks`, async ({ address, events }) => {
        expect((await post(address, signed())).status).toBe(204)
        expect(events).toMatchObject([
          { type: 'checkout.completed', id, webhook_id: 'evt_1', status: 204, signature: null },
        ])
      })
      expect(ended).toBe(0)
    },
  )
  const [{ headers, body: got } = { headers: {}, body: '' }] = received
  expect(verifyWebhook(got, headers, secret)).toEqual(event)
})

test('reports whether the signature is right when MALIPO_WEBHOOK_SECRET is set', async () => {
  await withServer(
    (_, response) => response.end(),
    async (url) => {
      const use = async ({ address, events }: Listening) => {
        await post(address, signed())
        await post(address, signed(), body.replace('completed', 'expired'))
        expect(events.map(({ signature }) => signature)).toEqual(['right', 'wrong'])
      }
      await listening(url, use, { MALIPO_WEBHOOK_SECRET: secret })
    },
  )
})

test('answers 502 with the reason when the server does not answer, so that Malipo sends the event again', async () => {
  await listening('http://127.0.0.1:9/', async ({ address, events }) => {
    expect((await post(address, signed())).status).toBe(502)
    expect(events).toMatchObject([{ status: null, failure: expect.any(String) as string }])
  })
})

test('returns the status of an answer that never ends, without reading all of it', async () => {
  await withServer(
    (_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(100_000)));
      }
      response.on('drain', more)
      more()
    },
    async (url) => {
      await listening(url, async ({ address, events }) => {
        expect((await post(address, signed())).status).toBe(200)
        expect(events).toMatchObject([{ status: 200, failure: null }])
      })
    },
  )
})

test('forwards no unsigned request, none larger than an event, and none from a page in a browser', async () => {
  let passed = 0
  await withServer(
    (_, response) => {
      passed += 1
      response.end()
    },
    async (url) => {
      await listening(url, async ({ address }) => {
        expect((await post(address, { 'content-type': 'text/plain' })).status).toBe(400)
        expect((await fetch(address, { headers: signed() })).status).toBe(400)
        expect((await post(address, signed(), Buffer.alloc(70_000))).status).toBe(413)
        const preflight = await fetch(address, { method: 'OPTIONS' })
        expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
      })
    },
  )
  expect(passed).toBe(0)
})

test.each([
  [
    'a target without its scheme',
    'listen --forward-to localhost:3000',
    {},
    /--forward-to must be a URL/,
  ],
  [
    'a port that is not a number',
    'listen --forward-to http://localhost --port x',
    {},
    /a port from 0 to 65535/,
  ],
  [
    'a value that is not a webhook secret',
    'listen --forward-to http://localhost',
    { MALIPO_WEBHOOK_SECRET: 'abc' },
    /MALIPO_WEBHOOK_SECRET must be/,
  ],
])('listen refuses %s', async (_, words, env, sentence) => {
  const ran = await run(words, { env })
  expect(ran.exitCode).toBe(2)
  expect(ran.stderr).toMatch(sentence)
})

test('refuses a port that is in use, and asks for another', async () => {
  await withServer(
    (_, response) => response.end(),
    async (url) => {
      const ran = await run(`listen --forward-to ${url} --port ${new URL(url).port}`)
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
      expect(ran.stderr).toContain('Give another: --port')
    },
  )
})

test.each([
  [{ status: 204, signature: 'right' }, '-> 204 in 11 ms  signature right'],
  [{ status: 500 }, '-> 500 in 11 ms  Malipo sends it again'],
  [{ status: 410 }, '-> 410 in 11 ms  Malipo switches the address off'],
  [
    { status: null, failure: 'no answer in time' },
    '-> no answer: no answer in time  Malipo sends it again',
  ],
] as const)('a terminal shows the delivery %j with its consequence', (changes, shown) => {
  const forwarded: Forwarded = {
    at: '2026-11-22T09:00:00.000Z',
    webhook_id: 'evt_1',
    type: 'checkout.completed',
    id,
    failure: null,
    ms: 11,
    signature: null,
    ...changes,
  }
  const line = showEvent(forwarded, { paint: (_, part) => part })
  expect(line.replace(/^[\d:]{8}/, 'time')).toBe(`time  checkout.completed  ${id}  ${shown}`)
})
