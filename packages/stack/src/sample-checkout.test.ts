import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@malipo/testing/eventually'
import { ofTest } from '@malipo/testing/lazily'
import { createSampleCheckout } from './sample-checkout'
import type { StackFile } from './stack-file'

const url = 'http://127.0.0.1:1/c/cs_ke_1'
const refusal = { status: 401, body: '{"ok":false,"code":2781}' }
const busy = { status: 503, body: '{"ok":false,"code":2782}' }
const made = { status: 201, body: JSON.stringify({ data: { url } }) }
const never = 'never'

/** A host that gives these answers, one after another. */
async function openHost() {
  const answers: (typeof made | typeof never)[] = []
  const keys: unknown[] = []
  const lines: string[] = []
  const stopping = new AbortController()
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key'])
    const answer = answers.shift() ?? refusal
    if (answer !== never) response.writeHead(answer.status).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  const file = { hosts: { ke: { base_url: base } }, merchants: [] } as unknown as StackFile
  const { signal } = stopping
  return {
    ...{ answers, keys, lines, stopping },
    create: () => createSampleCheckout(file, { signal, onProgress: (line) => lines.push(line) }),
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => {
          resolve()
        })
      }),
  }
}

const host = ofTest(() => openHost())

test('asks again for the same checkout while the services answer 503', async () => {
  host.answers.push(busy, busy, made)
  expect(await host.create()).toBe(url)
  expect(host.keys).toHaveLength(3)
  expect(new Set(host.keys).size).toBe(1)
  expect(host.lines).toEqual([])
})

test('goes without a checkout after any other refusal, and says its status', async () => {
  host.answers.push(refusal, made)
  expect(await host.create()).toBeUndefined()
  expect(host.lines).toEqual(['There is no sample checkout: http 401, {"ok":false,"code":2781}'])
})

test.each([
  ['while it waits for an answer', [never], 1],
  ['while the services answer 503', Array.from({ length: 1_000 }, () => busy), 2],
] as const)('ends at once when the stack is stopped %s', async (_, answers, requests) => {
  host.answers.push(...answers)
  const creating = host.create()
  await eventually('its request', () => host.keys.length >= requests)
  host.stopping.abort()
  expect(await creating).toBeUndefined()
  expect(host.keys.length).toBeLessThan(10)
  expect(host.lines).toEqual([])
})
