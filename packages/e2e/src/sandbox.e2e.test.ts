import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { patience } from '@malipo/testing/patience'
import { installSandbox } from './sandbox'

let dir: string
let program: string

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'malipo-sandbox-'))
  program = await installSandbox(dir)
})

afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

/**
 * The test of a shop, which gets all that it needs from environment variables. It exits with 7, a code that no failure
 * returns.
 */
const shop = `
import { readFileSync } from 'node:fs'
import { get } from 'node:https'
const { MALIPO_URL, MALIPO_KEY, RETURN_URL } = process.env
const headers = { authorization: 'Bearer ' + MALIPO_KEY, 'content-type': 'application/json' }
const checkouts = MALIPO_URL + '/v1/payments/merchant/checkouts'
const ask = async (url, more = {}) => (await (await fetch(url, { headers, ...more })).json()).data
const post = (body) => ({ method: 'POST', body: JSON.stringify(body) })
const { id } = await ask(checkouts, post({ amount: 150000, return_url: RETURN_URL + '?order=7' }))
const payHeaders = { 'content-type': 'application/json', 'idempotency-key': id }
const pay = MALIPO_URL + '/v1/payments/public/checkouts/' + id + '/pay'
await ask(pay, { ...post({ phone: '254711000222' }), headers: payHeaders })
const waiting = { ...headers, prefer: 'wait=60' }
const read = () => ask(checkouts + '/' + id, { headers: waiting })
let checkout = await read()
for (let looks = 0; looks < 5 && checkout.status === 'open'; looks += 1) checkout = await read()
const seen = await new Promise((resolve, reject) => {
  get(checkout.return_url, { ca: readFileSync(process.argv[2]) }, (answer) => {
    resolve([answer.statusCode, answer.headers.location])
  }).on('error', reject)
})
const ready = readFileSync(process.argv[3], 'utf8').includes('MALIPO_KEY=' + MALIPO_KEY)
console.log(JSON.stringify({ status: checkout.status, seen, ready }))
process.exit(7)
`

test('the unpacked sandbox runs a command against a whole Malipo, and exits with the code of the command', async () => {
  writeFileSync(join(dir, 'shop.mjs'), shop)
  const data = join(dir, 'data')
  const ready = join(dir, 'ready.env')
  const flags = ['--ports', 'auto', '--dir', data, '--ready-file', ready]
  const command = ['node', join(dir, 'shop.mjs'), join(data, 'return/ca.crt'), ready]
  const back = ['--return-to', 'http://localhost:3000/thanks']
  const child = spawn(process.execPath, [program, ...flags, ...back, '--', ...command], {
    cwd: dir,
    // pnpm names packages in NODE_PATH when it calls Jest, and an undeclared dependency would be found there.
    env: { ...process.env, ...patience, NODE_PATH: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'close')])

  expect(JSON.parse(output)).toEqual({
    status: 'completed',
    seen: [307, 'http://localhost:3000/thanks?order=7'],
    ready: true,
  })
  expect(exitCode).toBe(7)
  expect([ready, join(data, 'stack.json')].filter((file) => existsSync(file))).toEqual([])
})
