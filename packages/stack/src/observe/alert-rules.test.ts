import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { repositoryDir } from '../migrate'
import { type AlertCase, alertCases } from './alert-cases.harness'
import {
  allPending,
  authorityEnd,
  archivedSegments,
  certificateEnd,
  clusterAlertCases,
  databaseUp,
  followed,
  lastBackup,
  onePodForAnother,
  othersInTrouble,
  streamingStandbys,
  volume,
  waitingSegments,
} from './alert-cases-cluster.harness'
import { reconciliationAlertCases } from './alert-cases-reconciliation.harness'
import { writeRules } from './alert-rules'
import { type Prometheus, providePrometheus } from './provide-prometheus'

interface Rule {
  readonly alert?: string
  readonly annotations?: Readonly<Record<string, string>>
}

const dir = mkdtempSync(join(tmpdir(), 'malipo-rules-'))
const ruleFiles = writeRules(join(dir, 'rules'))
const alerts = ruleFiles
  .flatMap((file) => (parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] }).groups)
  .flatMap(({ rules }) => rules.filter(({ alert }) => alert !== undefined))
const names = [...new Set(alerts.map(({ alert }) => alert))].sort()

let prometheus: Prometheus

beforeAll(async () => {
  prometheus = await providePrometheus((line) => process.stderr.write(`${line}\n`))
})
afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

function promtool(...args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(prometheus.promtool, args, { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

interface PromtoolTest {
  readonly interval: string
  readonly input_series: readonly { readonly series: string; readonly values: string }[]
  readonly promql_expr_test: readonly object[]
}

const allCases = { ...alertCases, ...reconciliationAlertCases, ...clusterAlertCases }
const cases = Object.entries(allCases)

function testOf(values: Readonly<Record<string, string>>, firing: readonly object[]): PromtoolTest {
  const series = Object.entries(values).map(([name, samples]) => ({
    series: name,
    values: samples,
  }))
  return { interval: '15s', input_series: series, promql_expr_test: firing }
}

/** Expects that exactly these alerts of all rules fire at a moment. */
function firing(at: string, metrics: readonly string[]): object {
  const samples = metrics.map((metric) => ({ labels: metric, value: 1 }))
  return { expr: 'ALERTS{alertstate="firing"}', eval_time: at, exp_samples: samples }
}

function faultOf([alert, { labels, fault, firesAt }]: readonly [string, AlertCase]): PromtoolTest {
  const pairs = Object.entries({ ...labels, alertname: alert, alertstate: 'firing' })
  const fired = `ALERTS{${pairs.map(([name, value]) => `${name}="${value}"`).join(',')}}`
  return testOf(fault, [firing(firesAt, [fired])])
}

/** The blips of all alerts in one test, so that the rules are evaluated once for all of them. */
function blips(): PromtoolTest {
  const values = Object.fromEntries(cases.flatMap(([, { blip }]) => Object.entries(blip)))
  const times = [...new Set(cases.map(([, { firesAt }]) => firesAt))]
  return testOf(
    values,
    times.map((at) => firing(at, [])),
  )
}

/** The output of promtool when all tests pass. For a failed test it prints which alerts fired instead. */
const success = { status: 0, output: expect.stringContaining('SUCCESS') as string }

function runTests(tests: readonly PromtoolTest[], evaluationInterval: string) {
  const file = join(dir, 'alerts.json')
  const given = { rule_files: ruleFiles, evaluation_interval: evaluationInterval, tests }
  writeFileSync(file, JSON.stringify(given))
  return promtool('test', 'rules', file)
}

test('the rule files are valid', () => {
  expect(promtool('check', 'rules', ...ruleFiles)).toMatchObject({ status: 0 })
})

test('each alert fires in time on its fault, and no other alert does', () => {
  // Alerts that look back for an hour are evaluated less often, because evaluations take nearly all of the time.
  const isLong = ([, { firesAt }]: (typeof cases)[number]) => firesAt.startsWith('6')
  for (const [faults, interval] of [
    [cases.filter((one) => !isLong(one)), '15s'],
    [cases.filter(isLong), '30s'],
  ] as const) {
    expect(runTests(faults.map(faultOf), interval)).toEqual(success)
  }
})

test('while a ledger is away, create-unavailable fires only together with process-down, and ends with it', () => {
  const requests = (status: string) =>
    `malipo_http_seconds_count{route="post /v1/payments/merchant/checkouts",status="${status}",job="gateway",country="ke"}`
  // An hour of good requests, two minutes without a ledger, and good ones again.
  const values = {
    'up{job="ledger",country="ke",instance="a"}': '1x240 0x8 1x80',
    'malipo_audited_timestamp_seconds{job="ledger",country="ke",instance="a"}': '0+15x330',
    [requests('200')]: '0+100x240 24000x8 24000+100x80',
    [requests('503')]: '0x240 0+100x8 800x80',
    'malipo_events_total{name="create_shed",job="gateway",country="ke"}': '0x330',
  }
  const named = (name: string) => `ALERTS{alertname="${name}",alertstate="firing"}`
  const alone = `${named('create-unavailable')} unless on (country) ${named('process-down')}`
  const minutes = Array.from({ length: 20 }, (_, at) => 61 + at)
  const both = { expr: 'count(ALERTS{alertstate="firing"})', eval_time: '63m' }
  const checks = [
    { ...both, exp_samples: [{ labels: '{}', value: 2 }] },
    firing('80m', []),
    ...minutes.map((at) => ({ expr: alone, eval_time: `${String(at)}m`, exp_samples: [] })),
  ]
  expect(runTests([testOf(values, checks)], '15s')).toEqual(success)
})

test('alerts fire for an archive that falls behind, and for a database without any backup', () => {
  const values = {
    [waitingSegments]: '0+1x80',
    [archivedSegments]: '0+1x80',
    [databaseUp]: '1x80',
    ...followed,
  }
  const place = 'alertstate="firing",country="ke",namespace="malipo-ke"'
  const both = [
    `ALERTS{alertname="archive-stopped",severity="page",${place}}`,
    `ALERTS{alertname="backup-old",severity="ticket",${place}}`,
  ]
  expect(runTests([testOf(values, [firing('18m', both)])], '15s')).toEqual(success)
})

test('standby-away is a ticket while one of two standbys is away, or while none can be counted', () => {
  const ticket =
    'ALERTS{alertname="standby-away",alertstate="firing",severity="ticket",country="ke",namespace="malipo-ke"}'
  const oneAway = { ...followed, [streamingStandbys]: '2x7 1x80' }
  const tests = [
    testOf(oneAway, [firing('16m', []), firing('19m', [ticket])]),
    testOf({ [databaseUp]: '1x80', [lastBackup]: '-80000x80' }, [firing('17m', [ticket])]),
  ]
  expect(runTests(tests, '15s')).toEqual(success)
})

test('volume-filling is a ticket while a quarter of a volume is free, and not yet a tenth', () => {
  const of = 'namespace="malipo-ke",persistentvolumeclaim="postgres-1-wal",severity="ticket"'
  const ticket = `ALERTS{alertname="volume-filling",alertstate="firing",${of}}`
  const tests = [
    testOf(volume('4.9x200'), [firing('28m', []), firing('32m', [ticket])]),
    testOf(volume('5.1x200'), [firing('45m', [])]),
  ]
  expect(runTests(tests, '15s')).toEqual(success)
})

test('certificate-ending is a ticket in the last week of a certificate, our authority among them', () => {
  const ticket = (of: string) =>
    `ALERTS{alertname="certificate-ending",alertstate="firing",severity="ticket",${of}}`
  const ending = [
    ticket('namespace="malipo-ke",name="gateway-identity"'),
    ticket('namespace="cert-manager",name="malipo-authority"'),
  ]
  const values = (end: string) => ({ [certificateEnd]: end, [authorityEnd]: end })
  const tests = [
    testOf(values('600000x200'), [firing('14m', []), firing('17m', ending)]),
    testOf(values('620000x200'), [firing('40m', [])]),
  ]
  expect(runTests(tests, '15s')).toEqual(success)
})

test('disk-full names its namespace and what is full, as a log of a cluster silences nothing', () => {
  const ofLedger = 'job="ledger",country="ke",namespace="malipo-ke"'
  const labels = ['database_disk_full', 'log_not_written'].map(
    (name) => `name="${name}",${ofLedger}`,
  )
  const values = Object.fromEntries(
    labels.map((each) => [`malipo_events_total{${each}}`, '0x7 0+2x20']),
  )
  const full = labels.map(
    (each) => `ALERTS{alertname="disk-full",alertstate="firing",severity="page",${each}}`,
  )
  expect(runTests([testOf(values, [firing('4m', full)])], '15s')).toEqual(success)
})

test('process-down fires while no pod of a service has an address, and not when one pod replaces another', () => {
  const labels = 'job="gateway",country="ke",namespace="malipo-ke",scope="service",severity="page"'
  const down = `ALERTS{alertname="process-down",alertstate="firing",${labels}}`
  const tests = [
    testOf(allPending, [firing('3m15s', [down]), firing('90m', [down])]),
    testOf(onePodForAnother, [firing('3m15s', []), firing('90m', [])]),
  ]
  expect(runTests(tests, '15s')).toEqual(success)
})

test('one replica that is down or not ready while another works is named a replica, and not the service', () => {
  const one = 'job="worker",country="ke",instance="a"'
  const other = one.replace('"a"', '"b"')
  const values = {
    [`up{${one}}`]: '1x7 0x20',
    [`up{${other}}`]: '1x30',
    [`malipo_check_failing{check="ledger",${one}}`]: '0x7 1x20',
    [`malipo_check_failing{check="ledger",${other}}`]: '0x30',
  }
  const named = (alert: string, labels: string) =>
    `ALERTS{alertname="${alert}",alertstate="firing",scope="replica",severity="page",${labels}}`
  const both = [named('process-down', one), named('process-not-ready', `check="ledger",${one}`)]
  expect(runTests([testOf(values, [firing('4m', both)])], '15s')).toEqual(success)
})

test('no alert fires for foreign programs of the cluster', () => {
  expect(runTests([testOf(othersInTrouble, [firing('8m', []), firing('40m', [])])], '15s')).toEqual(
    success,
  )
})

test('no alert fires on a short disturbance, or below its threshold', () => {
  expect(runTests([blips()], '30s')).toEqual(success)
})

/** The same labels in another order are the same series. */
function seriesOf(name: string): string {
  const [metric = '', labels = ''] = name.split(/[{}]/)
  return `${metric}{${labels.split(',').sort().join(',')}}`
}

test('no two short disturbances use the same series, because one would hide the other', () => {
  const series = cases.flatMap(([alert, { blip }]) =>
    Object.keys(blip).map((name) => ({ alert, series: seriesOf(name) })),
  )
  const isShared = (one: (typeof series)[number]) =>
    series.some((other) => other.series === one.series && other !== one)
  expect(series.filter(isShared)).toEqual([])
})

test('every alert is tested with a fault and with a short disturbance', () => {
  expect(Object.keys(allCases).sort()).toEqual(names)
})

/** Runbooks without an alert: an operator opens them by choice. */
const procedures = ['restore', 'password-lost']

test('every alert names its runbook, and every other runbook is a known procedure', () => {
  const runbooks = readdirSync(join(repositoryDir, 'docs/runbooks'))
    .filter((name) => name !== 'README.md')
    .map((name) => basename(name, '.md'))
  expect(runbooks.sort()).toEqual([...names, ...procedures].sort())
  for (const { alert = '', annotations } of alerts) {
    expect([alert, annotations?.['runbook']]).toEqual([alert, `docs/runbooks/${alert}.md`])
  }
})

test('every runbook has the sections: meaning, checks, actions and end', () => {
  for (const name of [...names, ...procedures]) {
    const text = readFileSync(join(repositoryDir, `docs/runbooks/${String(name)}.md`), 'utf8')
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading)
    const wanted = [name, 'What it means', 'Look at', 'Do', 'It is over when']
    expect(headings).toEqual(wanted)
  }
})
