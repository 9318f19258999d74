import { ofFile } from '@malipo/testing/lazily'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import {
  merchantCheckoutSchema,
  type MerchantCheckoutView,
} from '@malipo/interface/merchant-checkout'
import { type Checkout, Malipo, MalipoConnectionError, MalipoError } from '@malipo/sdk'
import { startHost } from '../start.harness'

const host = ofFile(() => startHost())
const merchant = ofFile(() => host.merchant())

const open = (options: Partial<ConstructorParameters<typeof Malipo>[0]> = {}) =>
  new Malipo({ secretKey: merchant.secretKey, baseUrl: host.url, ...options })

const refusal = async (answer: Promise<unknown>) =>
  answer.then(
    () => 'no error',
    (error: unknown) => error,
  )

test("declares exactly the shape of the API's answers", async () => {
  const made: MerchantCheckoutView = await open().checkouts.create({ amount: 150_000 })
  // Either assignment fails to compile when the two types differ in a field.
  const parsed: Checkout = merchantCheckoutSchema.parse(made)
  expect(parsed).toEqual(made)
})

test('creates a checkout, and reads it again', async () => {
  const { checkouts } = open()
  const made = await checkouts.create({
    amount: 150_000,
    reference: 'order-1',
    phone: '254700000123',
  })
  expect(made).toMatchObject({
    status: 'open',
    amount: '150000',
    reference: 'order-1',
    payment: null,
  })
  expect(await checkouts.retrieve(made.id)).toEqual(made)
})

test('makes one checkout with one idempotency key, and two without', async () => {
  const { checkouts } = open()
  const twice = async (idempotencyKey?: string) => {
    const options = idempotencyKey === undefined ? {} : { idempotencyKey }
    const made = [
      await checkouts.create({ amount: 500 }, options),
      await checkouts.create({ amount: 500 }, options),
    ]
    return new Set(made.map(({ id }) => id)).size
  }
  expect([await twice('order-2'), await twice()]).toEqual([1, 2])
})

test('waits for a payment, and resolves when it completes', async () => {
  const { checkouts } = open()
  const { id } = await checkouts.create({ amount: 50_000 })
  const waiting = checkouts.waitForPayment(id)
  const { intentId } = await host.startPayment(id)
  const token = await host.ledger.submit(intentId)
  await host.ledger.pay(token, 50_000n)
  host.announce([intentId])

  const { status, payment } = await waiting
  expect([status, payment?.status, payment?.amount_settled]).toEqual([
    'completed',
    'completed',
    '50000',
  ])
})

test('returns the open checkout when its wait is over, and ends at once by its signal', async () => {
  const { checkouts } = open()
  const { id } = await checkouts.create({ amount: 50_000 })
  expect(await checkouts.waitForPayment(id, { timeoutMs: 1 })).toMatchObject({ status: 'open' })

  const stop = new AbortController()
  const waiting = refusal(checkouts.waitForPayment(id, { signal: stop.signal }))
  stop.abort(new Error('the shop closes'))
  expect(await waiting).toEqual(new Error('the shop closes'))
})

test("throws the API's error with code, fields and the request id for support", async () => {
  const { checkouts } = open()
  const error = await refusal(checkouts.create({ amount: 0.5, reference: '' }))
  expect(error).toBeInstanceOf(MalipoError)
  expect(error).toMatchObject({ status: 400, code: 1701, requestId: expect.any(String) as string })
  expect(await refusal(checkouts.create({ amount: 1, reference: '' }))).toMatchObject({
    problems: [{ path: 'reference', message: 'must be 1 to 64 characters' }],
    message: 'The request is not valid: reference must be 1 to 64 characters (code 1701)',
  })
  const unknown = `cs_ke_${'0'.repeat(24)}`
  expect(await refusal(checkouts.retrieve(unknown))).toMatchObject({ status: 404, code: 2783 })
  const other = open({ secretKey: `${merchant.secretKey.slice(0, -1)}0` })
  expect(await refusal(other.checkouts.retrieve(unknown))).toMatchObject({ code: 2781 })
})

test.each([
  [
    'a key of something else',
    { secretKey: 'sk_live_1' },
    /secretKey must be a secret key of Malipo/,
  ],
  ['a host without its scheme', { baseUrl: 'payments.example' }, /baseUrl must be a URL/],
])('refuses %s in its constructor', (_what, options, sentence) => {
  expect(() => open(options)).toThrow(sentence)
})

const shop = `
const [baseUrl, secretKey] = process.argv.slice(2)
const malipo = new Malipo({ baseUrl, secretKey })
malipo.checkouts.create({ amount: 900 }).then((checkout) => console.log(checkout.status))
`

/** The fault injected into a request on its way to the host. */
type Trouble = 'request lost' | 'answer lost' | 'busy' | 'page of a proxy' | 'endless' | 'none'

/** A proxy between SDK and host. The last fault applies to all later requests. */
async function withTrouble(troubles: Trouble[], use: (baseUrl: string) => Promise<void>) {
  const relay = createServer((request, response) => {
    const trouble = troubles.length > 1 ? troubles.shift() : troubles[0]
    void pass(request, response, trouble ?? 'none')
  })
  await new Promise<void>((listening) => relay.listen(0, '127.0.0.1', listening))
  const { port } = relay.address() as AddressInfo
  await use(`http://127.0.0.1:${String(port)}`).finally(() => {
    relay.closeAllConnections()
    relay.close()
  })
}

function* endless() {
  for (;;) yield Buffer.alloc(65_536, ' ')
}

async function pass(request: IncomingMessage, response: ServerResponse, trouble: Trouble) {
  if (trouble === 'busy') return response.writeHead(503, { 'Retry-After': '0' }).end('{}')
  if (trouble === 'page of a proxy') return response.writeHead(200).end('<html>Sign in</html>')
  if (trouble === 'endless')
    return pipeline(endless(), response.writeHead(200)).catch(() => undefined)
  if (trouble === 'request lost') return request.socket.destroy()
  const { method = '', url = '', headers } = request
  const kept = ['authorization', 'content-type', 'idempotency-key', 'prefer'] as const
  const passed = kept.flatMap((name): [string, string][] => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  const body = method === 'POST' ? await text(request) : null
  const answer = await fetch(`${host.url}${url}`, { method, headers: passed, body })
  const answered = await answer.text()
  if (trouble === 'answer lost') return request.socket.destroy()
  return response.writeHead(answer.status).end(answered)
}

test.each<Trouble>(['request lost', 'answer lost', 'busy'])(
  'makes exactly one checkout through a network in trouble: %s',
  async (trouble) => {
    const reference = `trouble ${trouble}`
    await withTrouble([trouble, trouble, 'none'], async (baseUrl) => {
      const made = await open({ baseUrl }).checkouts.create({ amount: 700, reference })
      expect(made.reference).toBe(reference)
    })
    const made = await host.rows(`SELECT 1 FROM checkouts WHERE reference = '${reference}'`)
    expect(made).toHaveLength(1)
  },
)

test("gives up after its retries with the API's error, or with a network error", async () => {
  await withTrouble(['answer lost'], async (baseUrl) => {
    const { checkouts } = open({ baseUrl, retriesMax: 1 })
    expect(await refusal(checkouts.create({ amount: 700 }))).toBeInstanceOf(MalipoConnectionError)
  })
  await withTrouble(['page of a proxy'], async (baseUrl) => {
    const error = await refusal(open({ baseUrl }).checkouts.create({ amount: 700 }))
    expect(error).toBeInstanceOf(MalipoConnectionError)
    expect(error).toMatchObject({ message: expect.stringContaining('Is baseUrl right?') as string })
  })
})

test('stops reading an answer that does not end', async () => {
  await withTrouble(['endless'], async (baseUrl) => {
    const { checkouts } = open({ baseUrl, retriesMax: 0 })
    expect(await refusal(checkouts.create({ amount: 700 }))).toMatchObject({
      name: 'MalipoConnectionError',
      cause: expect.objectContaining({ message: 'the answer is too long' }) as object,
    })
  })
})

test('installs into an empty folder from its package, type-checks, and makes a checkout as ES module and as CommonJS', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-sdk-'))
  const run = async (command: string, ...args: string[]) =>
    (await promisify(execFile)(command, args, { cwd: dir })).stdout
  const node = (...args: string[]) => run(process.execPath, ...args)
  const repository = join(__dirname, '../../../..')
  await run('npm', 'pack', '--silent', '--pack-destination', dir, join(repository, 'packages/sdk'))
  const [packed = ''] = readdirSync(dir)
  writeFileSync(join(dir, 'package.json'), '{"name":"shop","private":true}')
  await run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', `./${packed}`)
  const imported = "import { Malipo } from '@malipo/sdk'"
  writeFileSync(join(dir, 'shop.mjs'), `${imported}${shop}`)
  writeFileSync(join(dir, 'shop.cjs'), `const { Malipo } = require('@malipo/sdk')${shop}`)
  writeFileSync(join(dir, 'shop.mts'), `${imported}${shop}declare const process: any, console: any`)
  const tsc = join(repository, 'node_modules/typescript/bin/tsc')
  const strict = ['--noEmit', '--strict', '--module', 'nodenext']
  await node(tsc, ...strict, '--lib', 'es2023,dom', 'shop.mts')
  const sell = (file: string) => node(file, host.url, merchant.secretKey)
  expect([await sell('shop.mjs'), await sell('shop.cjs')]).toEqual(['open\n', 'open\n'])
  rmSync(dir, { recursive: true })
})
