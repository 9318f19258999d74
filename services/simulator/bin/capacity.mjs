#!/usr/bin/env node
// Measures the simulator's capacity: starts one with the memory limit of `npm start`, lets phones approve
// automatically, pushes as fast as it answers, and receives the callbacks. Wall time depends on the machine's other
// load; CPU time does not. Memory is measured after a garbage collection.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

const help = `Usage: npm run capacity -- [--events 1000000] [--open 64] [--heap 256]

Needs a build (npm run build). Prints a line for every tenth of the way, with the most that was held in it, and what
it comes to. Ends with 1 when more was held in the last third of the way than in the one before and 3 MB, or when a
push was refused. What is remembered fills by 500,000 events (heap of 256 MB) and then breathes: a generation of
requests is forgotten at a time.
  --events N   goes on until the simulator has logged so many events; a payment is seven
  --open N     pushes that are under way at once
  --heap MB    memory of the simulator
`
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    open: { type: 'string', default: '64' },
    heap: { type: 'string', default: '256' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(help)
  process.exit()
}

const app = { key: 'key', secret: 'secret', shortCode: '600100', passkey: 'passkey' }
const firstPhone = 254_711_000_000
const phones = 15_000
const agent = new Agent({ keepAlive: true, maxSockets: Number(values.open) + 8 })

const receiver = createServer((call, answer) => {
  call.resume()
  call.once('end', () => answer.end('{"ResultCode":0,"ResultDesc":"Accepted"}'))
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const callbackUrl = `http://127.0.0.1:${receiver.address().port}/callbacks/${randomBytes(8).toString('hex')}`

const simulator = spawn(
  process.execPath,
  [
    `--max-old-space-size=${values.heap}`,
    '--max-semi-space-size=4',
    '--expose-gc',
    ...['--require', join(import.meta.dirname, 'report-memory.cjs')],
    join(import.meta.dirname, '../dist/main.js'),
  ],
  {
    env: {
      PORT: '0',
      ADMIN_PORT: '0',
      MPESA_CONSUMER_KEY: app.key,
      MPESA_CONSUMER_SECRET: app.secret,
      MPESA_SHORTCODE: app.shortCode,
      MPESA_PASSKEY: app.passkey,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  },
)
process.once('exit', () => simulator.kill())
const ports = await new Promise((resolve) => {
  simulator.stdout.on('data', (chunk) => {
    for (const line of String(chunk).split('\n').filter(Boolean)) {
      const { ports } = JSON.parse(line)
      if (ports) resolve(ports)
    }
  })
})

function call(method, path, { body, headers = {}, port = ports.http } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      answer.once('end', () => resolve({ status: answer.statusCode, text }))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

const json = { 'content-type': 'application/json' }
const control = async (method, path, body) =>
  JSON.parse(
    (await call(method, `/sim/v1${path}`, { body: body && JSON.stringify(body), headers: json }))
      .text,
  )

async function token() {
  const authorization = `Basic ${Buffer.from(`${app.key}:${app.secret}`).toString('base64')}`
  const path = '/oauth/v1/generate?grant_type=client_credentials'
  return JSON.parse((await call('GET', path, { headers: { authorization } })).text).access_token
}

/** CPU seconds of the simulator, and its bytes: resident, and held (heap and buffers after a collection). */
async function usage() {
  simulator.send('memory')
  const [{ cpuMicros, rss, held }] = await once(simulator, 'message')
  return { cpu: cpuMicros / 1e6, rss, held }
}

const timestamp = '20261120142501'
const signed = {
  BusinessShortCode: app.shortCode,
  Password: Buffer.from(app.shortCode + app.passkey + timestamp).toString('base64'),
  Timestamp: timestamp,
  TransactionType: 'CustomerPayBillOnline',
  PartyB: app.shortCode,
  CallBackURL: callbackUrl,
  TransactionDesc: 'Payment',
}

let pushes = 0
let refused = 0
const tookMs = []

async function push(headers) {
  const count = pushes++
  const phone = String(firstPhone + (count % phones))
  // The simulator refuses the same amount from one phone within two minutes, as M-PESA does.
  const Amount = String(10 + (Math.floor(count / phones) % 200))
  const body = JSON.stringify({
    ...signed,
    Amount,
    PartyA: phone,
    PhoneNumber: phone,
    AccountReference: `A${count}`,
  })
  const startedAt = performance.now()
  const { status } = await call('POST', '/mpesa/stkpush/v1/processrequest', { body, headers })
  if (status !== 200) refused++
  if (count % 50 === 0) tookMs.push(performance.now() - startedAt)
}

await control('POST', '/phones', {
  msisdn: String(firstPhone),
  count: phones,
  balance: '100000000000000',
  policy: { answer: 'approve', after_ms: 0 },
})
const headers = { ...json, authorization: `Bearer ${await token()}` }
const wanted = Number(values.events)
const before = await usage()
const startedAt = performance.now()
let logged = 0
let nextLine = wanted / 10
let nextSample = wanted / 100
const megabytes = (bytes) => (bytes / 1e6).toFixed(1).padStart(6)

const heldAt = []

const most = (from, until) =>
  Math.max(0, ...heldAt.filter(({ at }) => at >= from && at < until).map(({ held }) => held))

async function sample() {
  const used = await usage()
  heldAt.push({ at: logged, held: used.held })
  return used
}

async function onProgress() {
  const { cpu, rss } = await sample()
  const held = most(logged - wanted / 10, Infinity)
  const seconds = (performance.now() - startedAt) / 1000
  const perSecond = (divisor) => String(Math.round(pushes / divisor)).padStart(6)
  process.stdout.write(
    `${String(logged).padStart(9)} events ${String(pushes).padStart(8)} pushes ${perSecond(seconds)}/s ${perSecond(cpu - before.cpu)}/CPU s  held ${megabytes(held)} MB, resident ${megabytes(rss)} MB\n`,
  )
}

/** Whether memory stayed level in the last third of the run: 3 MB more are allowed for the payments in flight. */
function judge() {
  const [before, last] = [most(wanted / 3, (wanted * 2) / 3), most((wanted * 2) / 3, Infinity)]
  const isFlat = last <= before + 3e6
  const verdict = isFlat ? 'flat' : 'NOT flat'
  process.stdout.write(
    `At most ${megabytes(before).trim()} MB in the second third, ${megabytes(last).trim()} MB in the last: ${verdict}\n`,
  )
  return isFlat
}

while (logged < wanted) {
  const batch = Array.from({ length: Number(values.open) }, async () => {
    for (let count = 0; count < 50; count++) await push(headers)
  })
  await Promise.all(batch)
  const meta = await control('GET', '/meta')
  logged = meta.last_event
  if (logged >= nextSample) {
    nextSample = logged + wanted / 100
    await sample()
  }
  if (logged >= nextLine) {
    nextLine = (Math.floor((logged * 10) / wanted) + 1) * (wanted / 10)
    await onProgress()
  }
}

const { book, last_event: events } = await control('GET', '/meta')
let rows = 0
let since = 0
for (;;) {
  const page = await control('GET', `/book?since=${since}&limit=50000`)
  if (page.length === 0) break
  rows += page.length
  since = page.at(-1).id
}
tookMs.sort((one, other) => one - other)
const at = (share) => tookMs[Math.floor(tookMs.length * share)].toFixed(1)
process.stdout.write(
  `${events} events, ${pushes} pushes (${refused} refused), ${book.rows} rows in the book, ${rows} read back; push p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`,
)
const isFlat = judge()
process.exitCode = isFlat && refused === 0 ? 0 : 1
simulator.kill()
receiver.close()
receiver.closeAllConnections()
agent.destroy()
