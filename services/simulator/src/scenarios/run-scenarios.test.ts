import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { systemClock } from '@malipo/runtime/clock'
import { eventually } from '@malipo/testing/eventually'
import { ofFile, ofTest } from '@malipo/testing/lazily'
import { mpesa, openReceiver, startSimulator, type RunningSimulator } from '../start.harness'
import type { Result } from './rules/junit'
import { problemsOf, runScenarios } from './run-scenarios'

const scenariosDir = join(__dirname, '../../scenarios')
const settings = {
  MPESA_CONSUMER_KEY: mpesa.consumerKey,
  MPESA_CONSUMER_SECRET: mpesa.consumerSecret,
  MPESA_SHORTCODE: mpesa.shortCode,
  MPESA_PASSKEY: mpesa.passkey,
}

let sim: RunningSimulator
let shop: ChildProcess
let shopUrl: string
beforeAll(async () => {
  sim = await startSimulator()
  const { url, stop } = await openReceiver()
  await stop()
  shopUrl = new URL(url).origin
  shop = spawn(process.execPath, [join(scenariosDir, 'shop.mjs')], {
    stdio: 'inherit',
    env: { ...settings, PORT: new URL(url).port, SIMULATOR_URL: sim.url },
  })
  // A reset forgets tokens, so no scenario may begin before the shop has used its token, which it has once it listens.
  await eventually('the shop', () =>
    fetch(shopUrl).then(
      () => true,
      () => false,
    ),
  )
})
afterAll(async () => {
  const ended = once(shop, 'close')
  shop.kill('SIGTERM')
  await ended
  await sim.stop()
})

const files = readdirSync(scenariosDir)
  .filter((name) => name.endsWith('.yaml'))
  .map((file) => ({ file, text: readFileSync(join(scenariosDir, file), 'utf8') }))

async function run(text: string, simulatorUrl = sim.url): Promise<Result | undefined> {
  const [result] = await runAll([{ file: 'a.yaml', text }], simulatorUrl)
  return result
}

function runAll(some: typeof files, simulatorUrl = sim.url): Promise<readonly Result[]> {
  return runScenarios(some, {
    simulatorUrl,
    variables: { ...settings, SHOP_URL: shopUrl },
    clock: systemClock,
    ended: () => undefined,
  })
}

test('the folder has ten scenarios, and all can be run', () => {
  expect(files).toHaveLength(10)
  expect(problemsOf(files)).toEqual([])
})

test.each(files.map((one) => [one.file, one] as const))(
  'the scenario %s passes against the shop',
  async (_, one) => {
    const [result] = await runAll([one])
    expect(result?.failure).toBeUndefined()
  },
)

test('a file with a seed that the simulator refuses is not run, and the problem names its line', () => {
  const text = 'name: One\nseed: "order 117"\nsteps:\n  - pack: none\n'
  expect(problemsOf([{ file: 'a.yaml', text }])).toEqual([
    'a.yaml:2: seed: up to 64 letters, digits, dots, dashes',
  ])
})

const withStep = (step: string) => `name: One\nsteps:\n  - pack: none\n  - ${step}\n`

test.each([
  [
    'an event that never comes',
    'expect: { event: money_moved, within_ms: 10 }',
    /^expect: 0 of 1 events money_moved with {} within 10 ms$/,
  ],
  [
    'a book with another row',
    'book: [{ kind: stk_push }]',
    /^book: book has 0 items, expected 1: \[\]$/,
  ],
  [
    'a phone without a prompt',
    "answer: { msisdn: '254708374149', action: approve, within_ms: 10 }",
    /^answer: no prompt on 254708374149 within 10 ms$/,
  ],
  [
    'another answer of the shop',
    "call: { url: '${SHOP_URL}/orders/none', within_ms: 10 }",
    /^call: GET http:\/\/127.0.0.1:\d+\/orders\/none was answered 404: \{\}$/,
  ],
  [
    'a shop that does not run',
    "call: { method: POST, url: 'http://127.0.0.1:2/', within_ms: 10 }",
    /nothing listens there$/,
  ],
  [
    'a variable without a value',
    "call: { url: '${NOWHERE}/' }",
    /^no value for \${NOWHERE}: set it/,
  ],
  ['a real provider', "call: { url: 'https://api.safaricom.co.ke/oauth' }", /is a real provider/],
  ['an unknown pack', 'pack: never', /^pack: No such story/],
  [
    'a payment that should be refused',
    "pay_bill: { msisdn: '254708374149', business_number: '1', account_number: a, amount: '100', refused: C2B00013 }",
    /^pay_bill: refused for another reason: This number takes no Pay Bill/,
  ],
])('a scenario fails at the line of its step: %s', async (_, step, message) => {
  const result = await run(withStep(step))
  expect(result?.failure?.line).toBe(4)
  expect(result?.failure?.message).toMatch(message)
})

const refusing = ofTest(() => openReceiver(400))

test('a POST that was refused is not sent again', async () => {
  const call = `call: { method: POST, url: '${refusing.url}', body: {}, within_ms: 500 }`
  const result = await run(withStep(call))
  expect(result?.failure?.message).toMatch(/was answered 400/)
  expect(refusing.received).toEqual(['{}'])
})

test('no scenario runs when the reset before it fails', async () => {
  const { origin } = new URL(refusing.url)
  await expect(run(withStep('pack: none'), origin)).rejects.toThrow(
    `${origin}/sim/v1/reset was answered 400`,
  )
})

const answering = ofFile(() => openReceiver())

test('a POST whose answer lacks a value to save fails, and is not sent again', async () => {
  const call = `call: { method: POST, url: '${answering.url}', body: {}, save: { order: id }, within_ms: 500 }`
  const { failure } = (await run(withStep(call))) ?? {}
  expect(failure?.line).toBe(4)
  expect(failure?.message).toMatch(/no text or number at id/)
  expect(answering.received).toEqual(['{}'])
})

/** A shop that breaks off its first `times` answers in the middle. */
async function openBreakingShop(times: number) {
  const methods: unknown[] = []
  const server = createServer(({ method }, response) => {
    if (methods.push(method) > times) response.end('{"paid":true}')
    else response.writeHead(200).write('{"paid":', () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    methods,
    stop: () => server[Symbol.asyncDispose](),
  }
}

const breaking = ofTest(() => openBreakingShop(Infinity))
const breakingOnce = ofTest(() => openBreakingShop(1))

test.each(['GET', 'POST'])(
  'a shop that breaks off its answer to a %s fails the scenario at that line, and the next scenario runs',
  async (method) => {
    const call = `call: { method: ${method}, url: '${breaking.url}', within_ms: 10 }`
    const results = await runAll([
      { file: 'broken.yaml', text: withStep(call) },
      { file: 'next.yaml', text: withStep('pack: none') },
    ])
    expect(results.map(({ failure }) => failure?.line)).toEqual([4, undefined])
    expect(results[0]?.failure?.message).toBe(
      `call: ${method} ${breaking.url}: terminated: other side closed`,
    )
  },
)

test('a GET whose answer broke off is sent again, and a POST is not', async () => {
  const result = await run(withStep(`call: { url: '${breakingOnce.url}' }`))
  expect(result?.failure).toBeUndefined()
  await run(withStep(`call: { method: POST, url: '${breaking.url}' }`))
  expect([breakingOnce.methods, breaking.methods]).toEqual([['GET', 'GET'], ['POST']])
})

test('a scenario can call M-PESA itself, with credentials and a callback address from its variables', async () => {
  const text = readFileSync(join(__dirname, 'without-shop.harness.yaml'), 'utf8')
  expect(await run(text)).toMatchObject({ failure: undefined })
})
