/** The tests of one alert. Values are 15 s apart, in promtool's notation: `0x4 1x8` is a minute of 0, two of 1. */
export interface AlertCase {
  /** The labels of the alert beside its name. */
  readonly labels: Readonly<Record<string, string>>
  /** A fault that lasts. */
  readonly fault: Readonly<Record<string, string>>
  /** When the alert fires, and no other does: soon after the fault has lasted as long as the rule waits. */
  readonly firesAt: string
  /** Values that look like the fault and heal, or stay below the threshold. Nothing fires at `firesAt`. */
  readonly blip: Readonly<Record<string, string>>
}

const ke = { country: 'ke' }
const page = { ...ke, severity: 'page' }
const ticket = { ...ke, severity: 'ticket' }

const gauge = (name: string, sample: string, labels: Omit<AlertCase, 'fault' | 'blip'>) => ({
  ...labels,
  fault: { [name]: `0x7 ${sample}x400` },
  blip: { [name]: `0x7 ${sample} 0x400` },
})
const level = (name: string) => `malipo_level{name="${name}",job="ledger",country="ke"}`
const events = (name: string, job: string) =>
  `malipo_events_total{name="${name}",job="${job}",country="ke"}`

/** An alert that fires on a single event, and not on a counter that stands still. */
const event = (name: string, job: string): AlertCase => ({
  labels: page,
  fault: { [events(name, job)]: '0x8 1x8' },
  firesAt: '3m',
  blip: { [events(name, job)]: '4x20' },
})

/** A ticket that is opened as soon as the value is measured. */
const ticketOf = (name: string, fault: string, blip: string): AlertCase => ({
  labels: ticket,
  fault: { [name]: `${fault}x20` },
  firesAt: '2m',
  blip: { [name]: `${blip}x20` },
})

const requests = (route: string, status: string) =>
  `malipo_http_seconds_count{route="${route}",status="${status}",job="gateway",country="ke"}`

/** The fault is an hour of good requests, followed by 503 only. */
const unavailable = (slo: string, route: string): AlertCase => ({
  labels: { ...page, slo },
  fault: {
    [requests(route, '200')]: '0+100x240 24000x20',
    [requests(route, '503')]: '0x240 0+100x20',
    [events(`${slo}_shed`, 'gateway')]: '0x260',
  },
  firesAt: '62m30s',
  blip: {
    [requests(route, '200')]: '0+100x260',
    [requests(route, '503')]: '0x240 4x20',
    [events(`${slo}_shed`, 'gateway')]: '0x260',
  },
})

const histogram = (name: string, le?: string) =>
  `${name}_${le === undefined ? 'count{' : `bucket{le="${le}",`}rail="mpesa",job="ledger",country="ke"}`

/** The fault: an hour in which all payments are in time, then none. Two ledgers count the same payments. */
const late = (slo: string, le: string): AlertCase => {
  const name = `malipo_${slo}_seconds`
  return {
    labels: { ...page, slo },
    fault: {
      [histogram(name)]: '0+10x280',
      [histogram(name, le)]: '0+10x240 2400x40',
      [histogram(name).replace('}', ',instance="b"}')]: '0+10x280',
      [histogram(name, le).replace('}', ',instance="b"}')]: '0+10x240 2400x40',
    },
    firesAt: '67m',
    blip: { [histogram(name)]: '0+10x280', [histogram(name, le)]: '0+10x240 2399+10x40' },
  }
}

const target = (job: string) => `{job="${job}",country="ke",instance="a"}`
const on = (job: string) => ({ job, instance: 'a' })
const databaseCheck = (name: string) => `${name}{check="database",${target('keys').slice(1)}`
const databaseLabels = { ...page, ...on('keys'), check: 'database' }
const ofDatabaseCheck = { labels: databaseLabels, firesAt: '3m30s' }
const provider = (outcome: string, call = 'submit') =>
  `malipo_provider_seconds_count{rail="mpesa",call="${call}",outcome="${outcome}",job="worker",country="ke"}`
const providerBucket = (le: string) =>
  `malipo_provider_seconds_bucket{rail="mpesa",call="ask_status",outcome="accepted",le="${le}",job="worker",country="ke"}`
const ended = (outcome: string, cause: string) =>
  `malipo_payments_total{rail="mpesa",outcome="${outcome}",cause="${cause}",job="ledger",country="ke"}`
const pool = (name: string) => `${name}{pool="settle",job="ledger",country="ke",instance="a"}`

const notGranted = (instance: string) =>
  `malipo_statement_not_granted{provider="mpesa",job="worker",country="ke",instance="${instance}"}`

export const alertCases: Readonly<Record<string, AlertCase>> = {
  'create-unavailable': unavailable('create', 'post /v1/payments/merchant/checkouts'),
  'read-unavailable': unavailable('read', 'get /v1/payments/public/intents/:id'),
  'prompt-late': late('prompt', '2'),
  'settlement-late': late('settlement', '5'),

  'process-down': {
    labels: { ...page, ...on('worker'), scope: 'service' },
    fault: { [`up${target('worker')}`]: '1x7 0x20' },
    firesAt: '3m15s',
    blip: { [`up${target('worker')}`]: '1x7 0x2 1x20' },
  },
  'process-not-ready': gauge(databaseCheck('malipo_check_failing'), '1', {
    labels: { ...databaseLabels, scope: 'service' },
    firesAt: '3m30s',
  }),
  'process-restarting': {
    labels: { ...page, ...on('auth') },
    fault: { [`process_start_time_seconds${target('auth')}`]: '10 20 30 40 50x20' },
    firesAt: '2m',
    blip: { [`process_start_time_seconds${target('auth')}`]: '10x4 20x20' },
  },
  'clock-off': {
    labels: { ...page, ...on('worker') },
    fault: { [`malipo_clock_seconds${target('worker')}`]: '0+15x7 420+15x20' },
    firesAt: '3m15s',
    blip: {
      [`malipo_clock_seconds${target('worker')}`]: '0+15x7 420+15x2 150+15x400',
      [`malipo_clock_seconds${target('ledger')}`]: '10+15x410',
    },
  },
  'event-loop-slow': gauge(`nodejs_eventloop_lag_p99_seconds${target('gateway')}`, '0.8', {
    labels: { ...ticket, ...on('gateway') },
    firesAt: '3m15s',
  }),
  'database-pool-full': {
    labels: { ...page, ...on('ledger'), pool: 'settle' },
    fault: {
      [pool('malipo_pool_waiting')]: '0x7 9x20',
      [pool('malipo_pool_used')]: '2x7 6x20',
      [pool('malipo_pool_max')]: '6x30',
    },
    firesAt: '3m15s',
    blip: {
      [pool('malipo_pool_waiting')]: '0x7 9x2 0x20',
      [pool('malipo_pool_used')]: '2x7 6x20',
      [pool('malipo_pool_max')]: '6x30',
    },
  },
  'database-slow': gauge(databaseCheck('malipo_check_seconds'), '0.6', ofDatabaseCheck),
  'database-connections-low': {
    labels: page,
    fault: { [`malipo_database_connections_left${target('ledger')}`]: '90x7 0x20' },
    firesAt: '3m15s',
    blip: { [`malipo_database_connections_left${target('ledger')}`]: '90x7 0 90x20' },
  },
  'redis-away': {
    labels: page,
    // Redis went away, and came back without free memory.
    fault: {
      [events('limit_counted_locally', 'gateway')]: '0x7 0+5x3 15x20',
      [events('job_not_queued', 'gateway')]: '0x10 0+5x20',
    },
    firesAt: '3m45s',
    // Half a minute without Redis.
    blip: { [events('limit_counted_locally', 'gateway')]: '0x3 5 10x20' },
  },
  'disk-full': {
    labels: { ...page, job: 'ledger', name: 'database_disk_full' },
    fault: { [events('database_disk_full', 'ledger')]: '0x7 0+2x20' },
    firesAt: '3m45s',
    blip: { [events('database_disk_full', 'ledger')]: '0x3 4 9x20' },
  },
  'requests-shed': {
    labels: page,
    fault: { [events('pay_shed', 'gateway')]: '0x7 0+30x20' },
    firesAt: '3m45s',
    blip: { [events('pay_shed', 'gateway')]: '0x3 300 600x20' },
  },

  'invariant-violated': {
    labels: { ...page, invariant: '12' },
    fault: {
      'malipo_invariant_violations{invariant="12",job="ledger",country="ke"}': '0x4 1x8',
      'malipo_invariant_violations{invariant="13",job="ledger",country="ke"}': '0x12',
    },
    firesAt: '2m',
    blip: { 'malipo_invariant_violations{invariant="12",job="ledger",country="ke"}': '0x12' },
  },
  'audit-old': {
    labels: page,
    fault: { [`malipo_audited_timestamp_seconds${target('ledger')}`]: '0+15x4 60x20' },
    firesAt: '4m30s',
    blip: {
      [`malipo_audited_timestamp_seconds${target('ledger')}`]: '0+15x4 60x4 150+15x400',
      [`malipo_audited_timestamp_seconds{job="ledger",country="ke",instance="b"}`]: '0x30',
    },
  },
  'reconciliation-difference': gauge(level('recon_diff_minor'), '50000', {
    labels: page,
    firesAt: '17m',
  }),
  'statement-behind': gauge(
    'malipo_statement_lag_seconds{provider="mpesa",job="ledger",country="ke"}',
    '1000',
    { labels: { ...page, provider: 'mpesa' }, firesAt: '3m15s' },
  ),
  'payment-report-unposted': {
    labels: page,
    fault: {
      [level('payment_reports_unposted')]: '0x7 2x20',
      [level('pay_bill_reports_unposted')]: '0x30',
    },
    firesAt: '3m15s',
    blip: {
      [level('payment_reports_unposted')]: '0x7 2x2 0x20',
      [level('pay_bill_reports_unposted')]: '0x30',
    },
  },
  'money-frozen': event('c2b_unconfirmed', 'ledger'),
  'evidence-contradicts': event('contradiction', 'ledger'),
  'message-parked': event('inbox_parked', 'ledger'),
  'suspense-old': ticketOf(level('suspense_oldest_s'), '90000', '80000'),
  'refund-undecided': ticketOf(level('refunds_undecided'), '1', '0'),
  'pay-bill-addresses-unproven': ticketOf(level('pay_bill_addresses_unproven'), '1', '0'),
  'pay-bill-numbers-low': ticketOf(
    'malipo_pay_bill_numbers_left{job="ledger",country="ke"}',
    '999999',
    '1000001',
  ),
  'callback-signature-wrong': {
    labels: page,
    fault: {
      [events('callback_signature_wrong', 'worker')]: '0x4 1x20',
      [events('card_notification_forged', 'gateway')]: '0x30',
    },
    firesAt: '2m',
    blip: {
      [events('callback_signature_wrong', 'worker')]: '3x20',
      [events('card_notification_forged', 'gateway')]: '0x30',
    },
  },

  'payments-failing': {
    labels: { ...page, rail: 'mpesa' },
    // One cause, with which payments end in two ways.
    fault: {
      [ended('failed', 'not_started')]: '0+1x60',
      [ended('expired', 'not_started')]: '0+1x60',
      [ended('completed', '')]: '0+2x60',
    },
    firesAt: '12m',
    // Payers who lack the money are no fault.
    blip: { [ended('failed', 'no_funds')]: '0+2x60', [ended('completed', '')]: '0+1x60' },
  },
  'prompts-waiting': gauge(level('outbox_oldest_s'), '45', { labels: page, firesAt: '3m15s' }),
  'messages-waiting': gauge(level('inbox_oldest_s'), '45', { labels: page, firesAt: '3m15s' }),
  'provider-failing': {
    labels: { ...page, rail: 'mpesa', call: 'submit' },
    fault: { [provider('unknown')]: '0x7 0+2x20', [provider('accepted')]: '0+2x7 14x20' },
    firesAt: '3m45s',
    // Half a minute in which most calls fail.
    blip: { [provider('unknown')]: '0x7 2 3x20', [provider('accepted')]: '0+2x7 14 15 17+2x20' },
  },
  'provider-slow': {
    labels: { ...ticket, rail: 'mpesa', call: 'ask_status' },
    fault: {
      [providerBucket('5')]: '0x30',
      [providerBucket('10')]: '0+2x30',
      [providerBucket('+Inf')]: '0+2x30',
      [provider('accepted', 'ask_status')]: '0+2x30',
    },
    firesAt: '3m',
    blip: {
      [providerBucket('5')]: '0+2x30',
      [providerBucket('10')]: '0+2x30',
      [providerBucket('+Inf')]: '0+2x30',
      [provider('accepted', 'ask_status')]: '0+2x30',
    },
  },
  'provider-refuses-us': {
    labels: page,
    fault: {
      [events('provider_misconfigured', 'worker')]: '0+1x20',
      [events('provider_token_refused', 'worker')]: '0x30',
    },
    firesAt: '2m',
    // A token that ends early is replaced at once.
    blip: {
      [events('provider_misconfigured', 'worker')]: '0x30',
      [events('provider_token_refused', 'worker')]: '0x4 1x20',
    },
  },
  'provider-code-unknown': { ...event('provider_code_unknown', 'worker'), labels: ticket },
  'statement-not-granted': {
    labels: ticket,
    // Another worker takes over 14 minutes later, and asks again; an hour passes from one refusal to the next.
    fault: {
      [notGranted('a')]: '0x4 1x56 0x200',
      [notGranted('b')]: '0x62 1x200',
    },
    firesAt: '61m',
    blip: { [notGranted('a')]: '0x260' },
  },
}
