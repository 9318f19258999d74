import { ofTest } from '@malipo/testing/lazily'
import { systemClock } from '@malipo/runtime/clock'
import { amina, mpesa, openReceiver, startSimulator } from '../start.harness'
import { runScenarios } from './run-scenarios'

const sim = ofTest(() => startSimulator())
const receiver = ofTest(() => openReceiver())

const added = '254711000042'

const push = (fields: Record<string, unknown> = {}) =>
  sim.push({ CallBackURL: receiver.url, AccountReference: 'EXPORT1', ...fields })
const exported = async (account = 'EXPORT1') => sim.wire('GET', `/sim/scenario?timeline=${account}`)
const delivered = (count = 1) =>
  sim.control('POST', '/expect', {
    kind: 'callback_delivered',
    facts: { account: 'EXPORT1' },
    count,
  })

async function runs(text: string) {
  const [result] = await runScenarios([{ file: 'exported.yaml', text }], {
    simulatorUrl: sim.url,
    variables: {
      MPESA_CONSUMER_KEY: mpesa.consumerKey,
      MPESA_CONSUMER_SECRET: mpesa.consumerSecret,
      MPESA_SHORTCODE: mpesa.shortCode,
      MPESA_PASSKEY: mpesa.passkey,
    },
    clock: systemClock,
    ended: () => undefined,
  })
  return result
}

test.each(['approve', 'cancel', 'wrong_pin'])(
  'the exported file of a payment that the phone answered with %s passes when it is run',
  async (action) => {
    await push()
    await sim.control('POST', `/phones/${amina}/prompt`, { action })
    await delivered()
    const { status, body } = await exported()
    expect(status).toBe(200)
    expect(await runs(body)).toMatchObject({ name: 'Exported: EXPORT1', failure: undefined })
  },
)

test('the exported file of a payment under a story, by an added phone, passes when it is run', async () => {
  await sim.control('POST', '/phones', { msisdn: added, name: 'Njeri' })
  await sim.control('POST', '/packs/double-callback', {})
  await push({ PartyA: added, PhoneNumber: added })
  await sim.jump(5_000)
  await delivered(2)
  const { body } = await exported()
  expect(body).toContain('kind: duplicate')
  expect(body).toContain('count: 2')
  expect(await runs(body)).toMatchObject({ failure: undefined })
})

test('the exported file of a payment that an added phone answered by hand passes when it is run', async () => {
  await sim.control('POST', '/phones', { msisdn: added, name: 'Njeri' })
  await push({ PartyA: added, PhoneNumber: added })
  await sim.control('POST', `/phones/${added}/prompt`, { action: 'approve' })
  await delivered()
  const { body } = await exported()
  expect(await runs(body)).toMatchObject({ failure: undefined })
})

const delay = { on: 'callback', effect: { kind: 'delay', ms: 180_000 } }
const threeCopies = { on: 'callback', effect: { kind: 'duplicate', copies: 3, every_ms: 60_000 } }
const reorder = { on: 'callback', effect: { kind: 'reorder' } }
const drip = { on: 'callback', effect: { kind: 'drip', ms: 120_000 } }
const dayMs = 86_400_000
const day = { on: 'callback', effect: { kind: 'delay', ms: dayMs } }

test.each([
  ['a delay', [delay], 1],
  ['two delays', [delay, delay], 1],
  ['copies', [threeCopies], 3],
  ['a delay and copies', [delay, threeCopies], 3],
  ['a reordering', [reorder], 1],
  ['its bytes', [drip], 1],
  ['more than a day', [day, delay], 1],
])(
  'the exported file of a payment answered by hand, whose callback comes late by %s, passes when it is run',
  async (_, rules, count) => {
    for (const rule of rules) await sim.control('POST', '/rules', rule)
    await push()
    await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
    for (let days = 0; days < 2; days += 1) await sim.jump(dayMs)
    await delivered(count)
    const { body } = await exported()
    expect(await runs(body)).toMatchObject({ failure: undefined })
  },
)

const chebet = '254722000111'
const esther = '254799444555'
const moses = '254733123456'

test.each([
  ['locked', esther, {}, 'pin_locked'],
  ['locked by its tester', amina, { sim_state: 'locked' }, 'pin_locked'],
  ['at its daily limit', amina, { sim_state: 'daily_limit' }, 'over_daily_limit'],
  ['switched off', amina, { sim_state: 'off' }, 'unreachable'],
  ['without enough money', chebet, {}, 'no_funds'],
  ['that was given money', chebet, { balance: '100000' }, 'agreed'],
  ['that was unlocked', esther, { sim_state: 'on' }, 'agreed'],
  ['that was moved to Safaricom', moses, { network: 'safaricom' }, 'agreed'],
])(
  'the exported file of a payment by a phone %s passes when it is run, though the phone has changed since',
  async (_, phone, changes, outcome) => {
    await sim.control('PATCH', `/phones/${phone}`, changes)
    await push({ PartyA: phone, PhoneNumber: phone })
    await sim.control('POST', `/phones/${phone}/prompt`, { action: 'approve' })
    await sim.jump(60_000)
    await delivered()
    await sim.control('PATCH', `/phones/${phone}`, { sim_state: 'no_signal', balance: '0' })
    const { body } = await exported()
    expect(body).toContain(`outcome: ${outcome}`)
    expect(await runs(body)).toMatchObject({ failure: undefined })
  },
)

test.each([
  ['little money', { balance: '100' }, 'no_funds'],
  ['a locked PIN', { sim_state: 'locked' }, 'pin_locked'],
])(
  'the exported file of a payment by an added phone with %s, which answered by itself, passes when it is run',
  async (_, given, outcome) => {
    const policy = { answer: 'approve', after_ms: 2_000 }
    await sim.control('POST', '/phones', { msisdn: added, name: 'Njeri', policy, ...given })
    await push({ PartyA: added, PhoneNumber: added })
    await sim.jump(2_000)
    await delivered()
    const { body } = await exported()
    expect(body).toContain(`outcome: ${outcome}`)
    expect(await runs(body)).toMatchObject({ failure: undefined })
  },
)

test('the exported file of a payment that a magic number was to approve, and its tester cancelled, passes when it is run', async () => {
  const approving = '254700555001'
  await push({ PartyA: approving, PhoneNumber: approving })
  await sim.control('POST', `/phones/${approving}/prompt`, { action: 'cancel' })
  await delivered()
  const { body } = await exported()
  expect(await runs(body)).toMatchObject({ failure: undefined })
})

test('the exported file of a payment whose payer paid from the menu before answering passes when it is run', async () => {
  const half = { kind: 'pay_bill', percent: 50, after_ms: 1_000 }
  await sim.control('POST', '/rules', { on: 'prompt', effect: half })
  await push()
  await sim.jump(1_000)
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  await delivered()
  const { body } = await exported()
  expect(body).toContain('- msisdn: "254708374149"\n        amount: "7525"')
  expect(await runs(body)).toMatchObject({ failure: undefined })
})

test('the exported file of a payment whose callback came before the answer to the push passes when it is run', async () => {
  await sim.control('POST', '/packs/early-callback', {})
  const answered = push()
  await sim.control('POST', '/expect', { kind: 'prompt_opened' })
  await sim.jump(2_000)
  await answered
  const { body } = await exported()
  expect(body).toContain('kind: early')
  expect(await runs(body)).toMatchObject({ failure: undefined })
})

test('the exported file of a payment that M-PESA refused without a prompt passes when it is run', async () => {
  await push({ Amount: '0.50' })
  await sim.jump(1_000)
  await delivered()
  const { body } = await exported()
  expect(await runs(body)).toMatchObject({ failure: undefined })
})

test('the exported file of a payment leaves out what its tester resent', async () => {
  await push()
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  await delivered()
  const [{ id }] = (await sim.control('POST', '/expect', { kind: 'callback_delivered' })).body
    .events
  await sim.control('POST', `/events/${String(id)}/replay`, {})
  const { body } = await exported()
  expect(await runs(body)).toMatchObject({ failure: undefined })
})

test.each(['late-success', 'late-pay-bill'])(
  'the exported file of a payment under the story %s passes when it is run',
  async (story) => {
    await sim.control('POST', `/packs/${story}`, {})
    await push()
    await sim.jump(600_000)
    await delivered()
    const { body } = await exported()
    expect(await runs(body)).toMatchObject({ failure: undefined })
  },
)

test('the exported file of a payment by the magic number of a late callback passes when it is run', async () => {
  const late = '254700555013'
  await push({ PartyA: late, PhoneNumber: late })
  await sim.jump(600_000)
  await delivered()
  const { body } = await exported()
  expect(await runs(body)).toMatchObject({ failure: undefined })
})

test('an exported file contains no secret, and its run fails when the result differs', async () => {
  await push()
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  await delivered()
  const { body } = await exported()
  for (const secret of [mpesa.passkey, receiver.url, Buffer.from(mpesa.passkey).toString('base64')])
    expect(body).not.toContain(secret)
  const other = String(body).replace('amount: "15050"', 'amount: "15051"')
  expect((await runs(other))?.failure?.message).toMatch(/^book: book.0.amount is "15050"/)
})

test('a payment that no push of M-PESA began is not exported', async () => {
  expect(await exported('NONE')).toMatchObject({ status: 404 })
})
