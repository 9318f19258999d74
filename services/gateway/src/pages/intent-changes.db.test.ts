import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { eventually } from '@malipo/testing/eventually'
import { send } from '../send.harness'
import { type RunningHost, startHost } from '../start.harness'

let host: RunningHost

beforeAll(async () => {
  // The share of one address is a fifth of the streams, rounded up: one of these two.
  host = await startHost({ streamsMax: 2 })
})
afterAll(() => host.stop())

const intentId = `pi_${'0'.repeat(24)}`

interface Stream {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: () => string
  readonly isOver: () => boolean
  close(): void
}

/** Opens an event stream of an intent from an address, as a browser does. */
async function listen(from: string, id = intentId): Promise<Stream> {
  const headers = { 'x-forwarded-for': from, accept: 'text/event-stream' }
  let request: ClientRequest | undefined
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request = get(`${host.url}/intents/${id}/changes`, { headers, agent: false }, resolve)
    request.on('error', reject)
  })
  let text = ''
  response.on('data', (part) => (text += String(part)))
  response.on('error', () => undefined)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    isOver: () => response.complete,
    close: () => request?.destroy(),
  }
}

const [one, other, third] = ['198.18.0.1', '198.18.0.2', '198.18.0.3'] as const

test('announces each change of its intent and of no other, without any data', async () => {
  const stream = await listen(one)
  expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream'])
  host.announce(['pi_another'])
  host.announce([intentId, 'cs_ke_1'])
  host.announce([intentId])
  await eventually('both receive the change', () => stream.text().split('data').length === 3)
  expect(stream.text()).toBe(':\n\ndata:\n\ndata:\n\n')
  stream.close()
})

test('allows one stream of an address and two in all, frees the place of a closed one, and returns 204 above that', async () => {
  const opened = await eventually('the first is open', async () => {
    const stream = await listen(one)
    return stream.status === 200 && stream
  })
  expect((await listen(one)).status).toBe(204)
  const second = await listen(other)
  expect([second.status, (await listen(third)).status]).toEqual([200, 204])
  opened.close()
  const next = await eventually('there is room', async () => {
    const stream = await listen(third)
    return stream.status === 200 && stream
  })
  next.close()
  second.close()
})

test('returns 400 1701 for a malformed intent id', async () => {
  const { status, body } = await send(`${host.url}/intents/nothing/changes`)
  expect([status, body.code]).toEqual([400, 1701])
})

test('ends all streams when the host stops', async () => {
  const stream = await eventually('it is open', async () => {
    const opened = await listen(one)
    return opened.status === 200 && opened
  })
  await host.shutDown()
  await eventually('it has ended', stream.isOver)
})
