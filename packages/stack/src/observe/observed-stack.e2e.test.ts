import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { copyStackTemplate } from '@malipo/testing/stack-template'
import { openTraceCollector, type TraceCollector } from '@malipo/testing/trace-collector'
import { Client } from 'pg'
import { playMainJob } from '../demo'
import type { StackFile } from '../stack-file'
import { type StartedStack, startStack } from '../start.harness'
import { faults } from './faults.harness'
import { linesOf, nameOfSpan, rootsOf } from './payment-story.harness'
import { alertsOf, playFault } from './play-fault.harness'
import { brokenRules, firingAlerts, missingSeries, selectorsOfRules } from './prometheus.harness'

const home = mkdtempSync(join(tmpdir(), 'malipo-observed-'))
const dir = join(home, 'stack')

/** By default these measure every 30, 300 and 10 seconds, for which a test cannot wait. */
const often = {
  AUDIT_EVERY_SECONDS: '1',
  RECONCILE_EVERY_SECONDS: '1',
  MEASURE_EVERY_SECONDS: '1',
}

let collector: TraceCollector
let running: StartedStack
let stack: StackFile
let intentId: string

beforeAll(async () => {
  collector = await openTraceCollector()
  copyStackTemplate(dir)
  running = startStack(dir, ['--observe'], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '1',
    ...often,
  })
  stack = await running.ready()
  await untilStatementIsRead()
  await playMainJob(stack, (step, detail) => {
    if (step === 'payment started') intentId = detail
  })
})
afterAll(async () => {
  running.child.kill('SIGTERM')
  await running.ended()
  await collector.close()
  rmSync(home, { recursive: true, force: true })
})

describe('a payment', () => {
  it('is one trace from the pay button to its posting, through the callback', async () => {
    const pay = await eventually('the span of its beginning', () =>
      collector.spans.find(
        ({ name, attributes }) => name.endsWith('/pay') && attributes['intentId'] === intentId,
      ),
    )
    const spans = () => collector.spans.filter(({ traceId }) => traceId === pay.traceId)
    const names = () => spans().map(nameOfSpan)
    const expected = [
      'gateway-ke post /v1/payments/public/checkouts/:id/pay',
      'ledger-ke startIntent',
      'ledger-ke save_start',
      'worker-ke submit-prompt',
      'ledger-ke beginSubmit',
      'worker-ke mpesa submit',
      'ledger-ke recordSubmit',
      'worker-ke apply-message',
      'ledger-ke applyEvidence',
    ]
    await eventually('all of its spans', () =>
      expected.every((name) => names().includes(name)),
    ).catch(() => undefined)
    expect(names()).toEqual(expect.arrayContaining(expected))
    expect(rootsOf(spans()).map(nameOfSpan)).toEqual([nameOfSpan(pay)])
    const applied = spans().find(({ name }) => name === 'apply-message')
    const ofCallback = () =>
      collector.spans
        .filter(({ traceId }) => traceId === applied?.links?.[0]?.traceId)
        .map(nameOfSpan)
    const stored = ['gateway-ke post /callbacks/:token', 'ledger-ke storeProviderMessage']
    // The processes send their spans at different times.
    await eventually('the spans of the callback', () =>
      stored.every((name) => ofCallback().includes(name)),
    ).catch(() => undefined)
    expect(ofCallback()).toEqual(expect.arrayContaining(stored))
    // A phone is found as a whole word only, because random ids may contain such digits.
    expect(JSON.stringify(collector.spans)).not.toMatch(/\b(?:254|256)\d{9}\b/)
  })

  it('has its id on the log lines of every process that works on it, from its beginning to its posting', async () => {
    const logged = () => linesOf(dir, intentId).map((line) => `${line.process} ${line.msg}`)
    const expected = [
      'gateway-ke answered',
      'worker-ke prompt',
      'worker-ke evidence',
      'ledger-ke settled',
    ]
    await eventually('its lines', () => expected.every((line) => logged().includes(line))).catch(
      () => undefined,
    )
    expect(logged()).toEqual(expect.arrayContaining(expected))
    for (const line of linesOf(dir, intentId)) expect(line).toMatchObject({ intentId })
  })
})

describe('what is observed', () => {
  it('has every series that a rule, a dashboard or a runbook reads, and raises no alert', async () => {
    const prometheus = stack.prometheus?.url ?? ''
    const selectors = selectorsOfRules()
    expect(selectors.length).toBeGreaterThan(40)
    let missing = selectors
    await eventually(
      'the processes export every series',
      async () => (missing = await missingSeries(prometheus, missing)).length === 0,
      240_000,
      500,
    ).catch(() => undefined)
    expect(missing).toEqual([])
    expect(await brokenRules(prometheus)).toEqual([])
    expect(await firingAlerts(prometheus)).toEqual([])
    expect(await alertsOf(stack)).toEqual([])
  })

  it('alerts an operator to a stopped worker within two minutes, and to nothing else', async () => {
    const [stopped] = faults
    if (stopped === undefined) throw new Error('no fault to play')
    const { alerts } = await playFault({ dir, stack, faultsDir: home, disk: undefined }, stopped)
    expect(alerts).toEqual([stopped.alert])
  }, 600_000)

  it('silences payments-failing only for a rail whose provider fails in a call that payments need', async () => {
    await raise([
      { alertname: 'provider-failing', country: 'tz', rail: 'card', call: 'open_session' },
      { alertname: 'provider-failing', country: 'rw', rail: 'mtn_momo', call: 'send_refund' },
      { alertname: 'payments-failing', country: 'tz', rail: 'card' },
      { alertname: 'payments-failing', country: 'tz', rail: 'mpesa' },
      { alertname: 'payments-failing', country: 'rw', rail: 'mtn_momo' },
    ])
    const expected = ['rw mtn_momo', 'tz mpesa']
    await eventually(
      'one is silent',
      async () => (await reported('payments-failing')).length === expected.length,
    ).catch(() => undefined)
    expect(await reported('payments-failing')).toEqual(expected)
  })

  it('silences redis-away by a full disk on one machine only, because Redis of a cluster is on another one', async () => {
    await raise([
      { alertname: 'disk-full', country: 'tz', job: 'ledger' },
      { alertname: 'redis-away', country: 'tz' },
      { alertname: 'disk-full', country: 'rw', job: 'ledger', namespace: 'malipo-rw' },
      { alertname: 'redis-away', country: 'rw' },
    ])
    await eventually(
      'one is silent',
      async () => (await reported('redis-away')).length === 1,
    ).catch(() => undefined)
    expect(await reported('redis-away')).toEqual(['rw'])
  })

  it('silences processes that are not ready by the full disk of a database, and not by that of a log in a cluster', async () => {
    const full = { alertname: 'disk-full', job: 'ledger' }
    const notReady = { alertname: 'process-not-ready', job: 'ledger', check: 'redis' }
    await raise([
      { ...full, country: 'bi', namespace: 'malipo-bi', name: 'database_disk_full' },
      { ...notReady, country: 'bi' },
      { ...full, country: 'ss', namespace: 'malipo-ss', name: 'log_not_written' },
      { ...notReady, country: 'ss' },
      { ...full, country: 'et', name: 'log_not_written' },
      { ...notReady, country: 'et' },
    ])
    await eventually(
      'two are silent',
      async () => (await reported('process-not-ready')).length === 1,
    ).catch(() => undefined)
    expect(await reported('process-not-ready')).toEqual(['ss'])
  })
})

/** A worker reads the statement as it starts: a payment that it finds there is not posted by its callback. */
async function untilStatementIsRead(): Promise<void> {
  const client = new Client(stack.databases.ledger_ke)
  await client.connect()
  await eventually('the statement is read', async () => {
    const { rowCount } = await client.query('SELECT FROM statement_reads')
    return (rowCount ?? 0) > 0
  })
  await client.end()
}

const alertsUrl = () => `${stack.alertmanager?.url ?? ''}/api/v2/alerts`

/** Raises alerts in Alertmanager. Their countries are not in this stack, so none of its real alerts silences them. */
async function raise(alerts: readonly Readonly<Record<string, string>>[]): Promise<void> {
  const body = JSON.stringify(alerts.map((labels) => ({ labels })))
  const headers = { 'content-type': 'application/json' }
  await fetch(alertsUrl(), { method: 'POST', headers, body })
}

/** Country and rail of the alerts of a name that no other alert silences. */
async function reported(name: string): Promise<string[]> {
  const filter = encodeURIComponent(`alertname="${name}"`)
  const answer = await fetch(`${alertsUrl()}?inhibited=false&filter=${filter}`)
  const found = (await answer.json()) as { labels: { country: string; rail?: string } }[]
  return found.map(({ labels: { country, rail = '' } }) => `${country} ${rail}`.trim()).sort()
}
