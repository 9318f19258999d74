import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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

/** A shop that speaks to Daraja by itself, and its own test; it ends with 7 so that its exit code is told from any other. */
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
    // pnpm's way to call Jest names its packages there, and something left out of the bundle would be found.
    env: { ...process.env, NODE_PATH: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(JSON.parse(output)).toEqual({ results: [0, 1032], isStyled: true })
  expect(exitCode).toBe(7)
})
