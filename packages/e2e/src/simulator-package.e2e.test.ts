import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { repositoryDir } from '@malipo/stack/migrate'

let dir: string

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'malipo-simulator-'))
  const pack = join(repositoryDir, 'packages/stack/bin/pack-simulator.mjs')
  await promisify(execFile)(process.execPath, [pack, '--to', dir], { cwd: dir })
  await promisify(execFile)('tar', ['-xzf', 'malipo-simulator-0.1.0.tgz'], { cwd: dir })
})

afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

/** A shop that calls Daraja itself, and its test. The test exits with 7, a code that no failure returns. */
const shop = `
import express from 'express'
const { SIMULATOR_URL, MPESA_CONSUMER_KEY, MPESA_CONSUMER_SECRET, MPESA_SHORTCODE, MPESA_PASSKEY } = process.env
const called = []
let allCalled
const whenAllCalled = new Promise((resolve) => (allCalled = resolve))
const app = express().post('/callback', express.json(), (request, response) => {
  if (called.push(request.body.Body.stkCallback) === 2) allCalled()
  response.json({ ResultCode: 0, ResultDesc: 'Accepted' })
})
const server = app.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const basic = Buffer.from(MPESA_CONSUMER_KEY + ':' + MPESA_CONSUMER_SECRET).toString('base64')
const ask = async (path, init) => (await fetch(SIMULATOR_URL + path, init)).json()
const { access_token: token } = await ask('/oauth/v1/generate?grant_type=client_credentials', { headers: { authorization: 'Basic ' + basic } })
const Timestamp = '20261120142501'
const push = (phone) =>
  ask('/mpesa/stkpush/v1/processrequest', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
    body: JSON.stringify({
      BusinessShortCode: MPESA_SHORTCODE,
      Password: Buffer.from(MPESA_SHORTCODE + MPESA_PASSKEY + Timestamp).toString('base64'),
      Timestamp,
      TransactionType: 'CustomerPayBillOnline',
      Amount: 150,
      PartyA: phone,
      PartyB: MPESA_SHORTCODE,
      PhoneNumber: phone,
      CallBackURL: 'http://127.0.0.1:' + server.address().port + '/callback',
      AccountReference: 'order117',
      TransactionDesc: 'Two bags',
    }),
  })
const pushed = [await push('254700555001'), await push('254700555002')]
await whenAllCalled
const results = pushed.map(({ CheckoutRequestID }) => called.find((one) => one.CheckoutRequestID === CheckoutRequestID).ResultCode)
const page = await (await fetch(SIMULATOR_URL)).text()
console.log(JSON.stringify({ results, isStyled: page.includes('--ink:') }))
process.exit(7)
`

test("an Express shop's own test of its Daraja code runs against the simulator from a package without dependencies", async () => {
  mkdirSync(join(dir, 'node_modules'))
  const express = join(repositoryDir, 'services/gateway/node_modules/express')
  symlinkSync(realpathSync(express), join(dir, 'node_modules/express'))
  writeFileSync(join(dir, 'shop.test.mjs'), shop)
  const program = join(dir, 'package/simulator.cjs')
  const args = ['--port', 'auto', '--', process.execPath, join(dir, 'shop.test.mjs')]
  const child = spawn(process.execPath, [program, ...args], {
    cwd: dir,
    // pnpm names packages in NODE_PATH when it calls Jest, and a package left out of the bundle would be found there.
    env: { ...process.env, NODE_PATH: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(JSON.parse(output)).toEqual({ results: [0, 1032], isStyled: true })
  expect(exitCode).toBe(7)
})

describe('scenario files', () => {
  const scenarios = () => join(dir, 'package/scenarios')
  function startScenario(...args: readonly string[]) {
    const program = join(dir, 'package/simulator.cjs')
    return spawn(process.execPath, [program, 'scenario', ...args], {
      cwd: dir,
      env: { ...process.env, NODE_PATH: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
  async function runScenario(...args: readonly string[]) {
    const child = startScenario(...args)
    const [output, problem, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    return { output, problem, exitCode: exitCode as number }
  }

  test('the ten scenarios of the package pass while the shop runs, and a JUnit report is written', async () => {
    const files = readdirSync(scenarios()).filter((name) => name.endsWith('.yaml'))
    const { output, exitCode } = await runScenario(
      ...files.map((name) => join(scenarios(), name)),
      ...['--junit', 'report.xml', '--', process.execPath, join(scenarios(), 'shop.mjs')],
    )
    expect(output).toContain('10 passed, 0 failed')
    expect(exitCode).toBe(0)
    expect(readFileSync(join(dir, 'report.xml'), 'utf8')).toContain(
      '<testsuites tests="10" failures="0"',
    )
  })

  test('a failing scenario says where it failed, and sets the exit code', async () => {
    writeFileSync(
      join(dir, 'never.yaml'),
      'name: Never\nsteps:\n  - expect: { event: money_moved, within_ms: 10 }\n',
    )
    const { output, exitCode } = await runScenario('never.yaml', '--junit', 'report.xml')
    expect(output).toMatch(/✗ Never .*\n {2}never\.yaml:3: expect: 0 of 1 events money_moved/)
    expect(exitCode).toBe(1)
    expect(readFileSync(join(dir, 'report.xml'), 'utf8')).toContain('failures="1"')
  })

  test('an invalid scenario file runs nothing, and the error names its line', async () => {
    writeFileSync(join(dir, 'wrong.yaml'), 'name: Wrong\nsteps:\n  - pay: {}\n')
    const { output, problem, exitCode } = await runScenario('wrong.yaml')
    expect(problem).toMatch(/^wrong\.yaml:3: steps\.0: Unrecognized key: "pay"/)
    expect([output, exitCode]).toEqual(['', 2])
  })

  /** A shop that prints its port when a scenario calls it. It would end by itself after a failed test. */
  const patientShop = `
    require('node:http').createServer(({ url }, response) => {
      if (url === '/begun') console.log(process.env.PORT)
      response.end('{}')
    }).listen(process.env.PORT, '127.0.0.1')
    setTimeout(process.exit, 60_000)
  `

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('stopped by %s, a run ends its shop and exits with %i', async (signal, expected) => {
    writeFileSync(
      join(dir, 'patient.yaml'),
      "name: Patient\nsteps:\n  - call: { url: '${SHOP_URL}/begun' }\n  - expect: { event: money_moved, within_ms: 30000 }\n",
    )
    const child = startScenario('patient.yaml', '--', process.execPath, '-e', patientShop)
    const output = text(child.stdout)
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    child.kill(signal)
    const [exitCode] = (await once(child, 'exit')) as [number]
    await expect(fetch(`http://127.0.0.1:${String(port).trim()}/`)).rejects.toThrow('fetch failed')
    expect([exitCode, await output]).toEqual([expected, String(port)])
  })

  test('--help and --schema describe the files', async () => {
    expect((await runScenario('--help')).output).toContain('malipo-simulator scenario FILE')
    const schema: unknown = JSON.parse((await runScenario('--schema')).output)
    expect(schema).toHaveProperty('properties.steps')
  })
})
