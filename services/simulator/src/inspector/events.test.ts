import { ofTest } from '@malipo/testing/lazily'
import { amina, startSimulator } from '../start.harness'

const sim = ofTest(() => startSimulator())

const kinds = (events: readonly { kind: string }[]) => events.map(({ kind }) => kind)

test('a payment records its events in order', async () => {
  await sim.push()
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  await sim.control('POST', '/expect', { kind: 'callback_failed' })
  const { body } = await sim.control('GET', '/events')
  expect(kinds(body)).toEqual([
    'reset',
    'token_issued',
    'call_answered',
    'push_accepted',
    'prompt_opened',
    'call_answered',
    'prompt_closed',
    'money_moved',
    'callback_failed',
  ])
})

test('no event contains a password, a token or a PIN', async () => {
  const token = await sim.token()
  await sim.push({ Password: 'wrong' })
  await sim.push()
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve', pin: '9753' })
  const text = JSON.stringify((await sim.control('GET', '/events')).body)
  expect(text).toContain('wrong_pin')
  for (const secret of [token, 'passkey', '9753']) expect(text).not.toContain(secret)
})

test('events are read from a position, with a limit', async () => {
  await sim.token()
  await sim.token()
  const { body } = await sim.control('GET', '/events?since=1&limit=1')
  expect(body).toMatchObject([{ id: 2, kind: 'token_issued', at: '2026-11-20T11:25:01.373Z' }])
})

test('a wait returns the next event', async () => {
  const waiting = sim.control('GET', '/events?since=1&wait=20')
  await sim.token()
  expect(kinds((await waiting).body)).toContain('token_issued')
})

test('a wait without an event times out empty', async () => {
  expect((await sim.control('GET', '/events?since=1&wait=0.02')).body).toEqual([])
})

test('a stream sends missed events and then new ones', async () => {
  const stop = new AbortController()
  const stream = await fetch(`${sim.url}/sim/v1/events/stream`, {
    headers: { 'last-event-id': '0' },
    signal: stop.signal,
  })
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  await sim.token()
  let text = ''
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.includes('token_issued')) break
  }
  expect(text).toMatch(/id: 1\ndata: \{"id":1,.*"kind":"reset".*\}\n\nid: 2\ndata: .*token_issued/)
  stop.abort()
})

test('a stream continues after a reset', async () => {
  const stream = await fetch(`${sim.url}/sim/v1/events/stream`)
  await sim.control('POST', '/reset', { seed: 'next' })
  let text = ''
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.includes('next')) break
  }
  expect(text).toContain('id: 2')
})

test('a reader far behind reads all events over several connections', async () => {
  const happens = () => sim.control('PUT', `/phones/${amina}/policy`, { answer: 'ask' })
  for (let round = 0; round < 11; round += 1)
    await Promise.all(Array.from({ length: 100 }, happens))
  const missed = await fetch(`${sim.url}/sim/v1/events/stream?since=1`)
  // The stream ends, and the client reconnects from its position.
  const read = [...(await missed.text()).matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)
  expect(read).toEqual(Array.from({ length: 1_000 }, (_, index) => String(index + 2)))
  const { body: rest } = await sim.control('GET', `/events?since=${String(read.at(-1))}`)
  expect(rest).toHaveLength(100)
})
