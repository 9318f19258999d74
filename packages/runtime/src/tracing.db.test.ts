import type { handleUnaryCall, ServiceDefinition } from '@grpc/grpc-js'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { testIdentityDir } from '@malipo/testing/identities'
import { openTraceCollector, type TraceCollector } from '@malipo/testing/trace-collector'
import type { Pool } from 'pg'
import { succeed } from './answer'
import { openCallsOf, methodOfBytes } from './calls.harness'
import { serveGrpc } from './grpc'
import { openHandlerFactory } from './handler-factory'
import { serveHttp } from './http'
import { openLog } from './log'
import { openMeasuredPool } from './measured-pool'
import { openApp } from './open-app'
import { presentFault } from './present-fault'
import { keptTrace, noteSubject, resumeTrace } from './telemetry'
import { openTlsIdentity } from './tls-identity'
import { startTracing } from './tracing'

const definition = {
  pay: methodOfBytes('/test.Service/Pay'),
} satisfies ServiceDefinition
interface Service {
  readonly pay: handleUnaryCall<Buffer, Buffer>
}
const callers = { pay: ['worker-ke'] } as const
const log = openLog('test', 'silent')

/** The trace of a payment, stored for the callback that comes later. */
let kept: string | undefined

let database: TestDatabase
let collector: TraceCollector
const closers: (() => unknown)[] = []
let url: string

beforeAll(async () => {
  collector = await openTraceCollector()
  const stopTracing = await startTracing('gateway-ke', {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '1',
  })
  database = await cloneDatabase('keys')
  const pool = openMeasuredPool('traced', { connectionString: database.url, max: 1 })
  const server = await serveGrpc<Service>({
    ...{ definition, callers, log, host: '127.0.0.1', port: 0 },
    operations: { pay: () => post(pool) },
    identity: openTlsIdentity(testIdentityDir('keys'), log),
  })
  const client = openCallsOf<Service>({
    ...{ server: 'keys', definition, callers, whenUnavailable: 'ledger_unavailable' },
    address: `127.0.0.1:${String(server.port)}`,
  })
  const pay = async () => {
    noteSubject({ intentId: 'pi_ke_1' })
    await client.calls.pay(Buffer.of())
    kept = keptTrace()
    return succeed(202, 'x', {})
  }
  const settle = () => resumeTrace('settle', kept, () => Promise.resolve(succeed(200, 'x', {})))
  const app = openApp(openHandlerFactory(log, presentFault), [
    { method: 'post', path: '/pay', operation: pay },
    { method: 'post', path: '/callback', operation: settle },
  ])
  const http = await serveHttp({ handler: app, host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${String(http.port)}`
  closers.push(http.stop, client.close, server.stop, () => pool.end(), stopTracing, collector.close)
})
afterAll(async () => {
  for (const close of closers) await close()
  await database.drop()
})

async function post(pool: Pool): Promise<Buffer> {
  await pool.query({ name: 'save_payment', text: 'SELECT $1::text', values: ['254700000222'] })
  const client = await pool.connect()
  await client.query('SELECT 1')
  client.release()
  return Buffer.of()
}

async function spansAfter(path: string, count: number, headers: Record<string, string> = {}) {
  const before = collector.spans.length
  await fetch(url + path, { method: 'POST', headers })
  return eventually('the spans', () => {
    const spans = collector.spans.slice(before)
    return spans.length === count && spans
  })
}

test('a request, its calls and their statements are one trace, each below what led to it', async () => {
  const spans = await spansAfter('/pay', 4)
  const [root] = spans.filter(({ parentSpanId }) => parentSpanId === undefined)
  const nameOf = (id: string | undefined) => spans.find(({ spanId }) => spanId === id)?.name
  expect(spans.map(({ name, parentSpanId }) => [name, nameOf(parentSpanId)]).sort()).toEqual([
    ['SELECT', 'pay'],
    ['pay', 'post /pay'],
    ['post /pay', undefined],
    ['save_payment', 'pay'],
  ])
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([root?.traceId]))
  expect(root).toMatchObject({ service: 'gateway-ke', attributes: { intentId: 'pi_ke_1' } })
  expect(JSON.stringify(spans)).not.toContain('254700000222')
})

test('a callback continues the trace of its payment, and links its own', async () => {
  const [payment] = await spansAfter('/pay', 4)
  const spans = await spansAfter('/callback', 2)
  const callback = spans.find(({ name }) => name === 'post /callback')
  const settled = spans.find(({ name }) => name === 'settle')
  expect(settled?.traceId).toBe(payment?.traceId)
  expect(settled?.links).toMatchObject([{ traceId: callback?.traceId }])
  expect(callback?.traceId).not.toBe(payment?.traceId)
})

test.each(['01', '00'])(
  'the trace of a caller with the flag %s is linked and not continued, so no caller chooses what is kept',
  async (flag) => {
    const traceId = 'ab'.repeat(16)
    const traceparent = `00-${traceId}-${'cd'.repeat(8)}-${flag}`
    const spans = await spansAfter('/pay', 4, { traceparent })
    expect(spans.map((span) => span.traceId)).not.toContain(traceId)
    expect(spans.flatMap(({ links = [] }) => links)).toMatchObject([{ traceId }])
  },
)

test('a malformed trace of a caller is not linked', async () => {
  const spans = await spansAfter('/pay', 4, { traceparent: '00-x-y-01' })
  expect(spans.flatMap(({ links = [] }) => links)).toEqual([])
})

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x', OTEL_TRACES_SAMPLER_ARG: '2' },
    'OTEL_TRACES_SAMPLER_ARG',
  ],
])('a setting that cannot be read is refused: %j', async (environment, problem) => {
  await expect(startTracing('gateway-ke', environment)).rejects.toThrow(problem)
})
