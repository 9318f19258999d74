import { Fault } from '@malipo/kernel/errors'
import { succeed } from './answer'
import { openHandlerFactory } from './handler-factory'
import { serveHttp } from './http'
import { openLog } from './log'
import { openApp, type Route } from './open-app'
import { presentFault } from './present-fault'
import { noteSubject } from './telemetry'

const lines: string[] = []
const log = openLog('test', 'debug', { write: (line) => lines.push(line) })
const checkoutId = `cs_ke_${'0'.repeat(24)}`
const intentId = `pi_${'0'.repeat(24)}`

const routes: readonly Route[] = [
  {
    method: 'get',
    path: '/checkouts/:id',
    operation: () => Promise.resolve(succeed(200, 'x', {})),
  },
  {
    method: 'post',
    path: '/checkouts/:id',
    operation: () => {
      noteSubject({ intentId })
      return Promise.resolve(succeed(202, 'x', {}))
    },
  },
  {
    method: 'post',
    path: '/paid/:id',
    operation: () => Promise.reject(new Fault('checkout_paid')),
  },
  {
    method: 'get',
    path: '/away/:id',
    operation: () => Promise.reject(new Fault('ledger_unavailable')),
  },
  {
    method: 'post',
    path: '/callbacks/:token',
    operation: () => Promise.resolve(succeed(200, 'x', {})),
  },
]

let url: string
let stop: () => Promise<void>

beforeAll(async () => {
  const handler = openApp(openHandlerFactory(log, presentFault), routes)
  const server = await serveHttp({ handler, host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${String(server.port)}`
  stop = server.stop
})
afterAll(() => stop())

/** Sends a request and returns its log line without the fields that vary. */
async function lineOf(method: string, path: string): Promise<object> {
  lines.length = 0
  const response = await fetch(url + path, { method })
  await response.arrayBuffer()
  expect(lines).toHaveLength(1)
  const line = JSON.parse(lines[0] ?? '{}') as Record<string, unknown>
  expect(line).toMatchObject({
    service: 'test',
    time: expect.any(String),
    milliseconds: expect.any(Number),
    requestId: response.headers.get('x-request-id'),
  })
  const { level, status, code, checkoutId, intentId } = line
  return { level, status, code, checkoutId, intentId }
}

test('logs a write at info, with the ids in the path and the id it created', async () => {
  const line = await lineOf('POST', `/checkouts/${checkoutId}`)
  expect(line).toEqual({ level: 'info', status: 202, checkoutId, intentId })
})

test('logs a successful read at debug', async () => {
  const line = await lineOf('GET', `/checkouts/${checkoutId}`)
  expect(line).toEqual({ level: 'debug', status: 200, checkoutId })
})

test('logs a refusal with its code, and an outage at warn', async () => {
  const refused = await lineOf('POST', `/paid/${checkoutId}`)
  expect(refused).toEqual({ level: 'info', status: 409, code: 2785, checkoutId })
  const away = await lineOf('GET', `/away/${checkoutId}`)
  expect(away).toEqual({ level: 'warn', status: 503, code: 2752, checkoutId })
})

test('logs no secret from the path of a callback', async () => {
  await lineOf('POST', `/callbacks/${'ab'.repeat(16)}`)
  // Looks for eight digits of the secret: four may occur by chance in a random id.
  expect(lines.join()).not.toContain('ab'.repeat(4))
})
