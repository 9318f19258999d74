import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ofTest } from '@malipo/testing/lazily'
import { createSampleCheckout } from './sample-checkout'
import type { StackFile } from './stack-file'

const url = 'http://127.0.0.1:1/c/cs_ke_1'
const refusal = { status: 401, body: '{"ok":false,"code":2781}' }
const busy = { status: 503, body: '{"ok":false,"code":2782}' }
const made = { status: 201, body: JSON.stringify({ data: { url } }) }

/** A host that gives these answers, one after another. */
async function openHost() {
  const answers: (typeof made)[] = []
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key'])
    const { status, body } = answers.shift() ?? refusal
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  const file = { hosts: { ke: { base_url: base } }, merchants: [] } as unknown as StackFile
  return {
    answers,
    keys,
    create: () => createSampleCheckout(file),
    stop: () =>
      new Promise<void>((resolve) => {
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
})

test('throws any other refusal at once, with its status', async () => {
  host.answers.push(refusal, made)
  await expect(host.create()).rejects.toThrow('The sample checkout was answered 401')
})
