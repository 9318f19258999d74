import { ofTest } from '@malipo/testing/lazily'
import { openSimulatorControl } from '@malipo/testing/simulator-control'
import type * as shapes from '@malipo/testing/simulator-shapes'
import type { z } from 'zod'
import { type EventKind, eventKinds } from '../inspector/rules/event-log'
import { type Effect, type Moment, moments } from '../faults/rules/rule'
import { amina, mpesa, startSimulator } from '../start.harness'
import type { shownBookRow, shownClock, shownEvent, shownPhone, shownRule } from './shapes'

/** Checks the client that every other test uses against the simulator's real behaviour. */

const sim = ofTest(() => startSimulator())

interface Shown {
  readonly phone: z.output<typeof shownPhone>
  readonly rule: z.output<typeof shownRule>
  readonly row: z.output<typeof shownBookRow>
  readonly event: z.output<typeof shownEvent>
  readonly clock: z.output<typeof shownClock>
  readonly moments: readonly Moment[]
}

interface Shapes {
  readonly phone: shapes.Phone
  readonly rule: shapes.Rule
  readonly row: shapes.BookRow
  readonly event: shapes.SimEvent
  readonly clock: shapes.Clock
  readonly moments: readonly shapes.Moment[]
}

/** Compiles only if the client's types match every answer. */
const asShapes = (shown: Shown): Shapes => shown
const asKinds = (kinds: readonly shapes.EventKind[]): readonly EventKind[] => kinds

/** One rule of every kind, at a moment that allows it. A kind missing from the client's types does not compile. */
const rules: Readonly<Record<Effect['kind'], shapes.NewRule>> = {
  delay: { on: 'token', effect: { kind: 'delay', ms: 1 } },
  drip: { on: 'push', effect: { kind: 'drip', ms: 1 } },
  drop: { on: 'query', effect: { kind: 'drop', performed: false } },
  reset: { on: 'register', effect: { kind: 'reset' }, times: 1 },
  malformed: { on: 'simulate', effect: { kind: 'malformed' }, skip: 1 },
  error: { on: 'pull', effect: { kind: 'error', error: 'internal' }, probability: 0.5 },
  limit: { on: 'session', effect: { kind: 'limit', per_second: 1 }, from_ms: 1 },
  early: { on: 'push', effect: { kind: 'early' }, until_ms: 1 },
  lie: { on: 'query', effect: { kind: 'lie', code: '1032' } },
  answer: { on: 'prompt', effect: { kind: 'answer', answer: 'cancel', after_ms: 1 } },
  pay_bill: { on: 'prompt', effect: { kind: 'pay_bill', percent: 50, after_ms: 1 } },
  duplicate: { on: 'callback', effect: { kind: 'duplicate', copies: 2, every_ms: 1 } },
  reorder: { on: 'callback', effect: { kind: 'reorder' }, when: { msisdn: amina } },
  echo: { on: 'callback', effect: { kind: 'echo' }, when: { amount: '1' } },
  amount: { on: 'callback', effect: { kind: 'amount', amount: '1' }, when: { account: 'A' } },
  source: { on: 'callback', effect: { kind: 'source', address: '127.0.0.2' } },
  fails: { on: 'challenge', effect: { kind: 'fails' } },
  wrong_secret: { on: 'callback', effect: { kind: 'wrong_secret' }, when: { business: 'B' } },
}

test('creates a rule of every kind, and reads it back', async () => {
  const client = openSimulatorControl(sim.url)
  for (const rule of Object.values(rules)) {
    expect(await client.addRule(rule)).toMatchObject(rule)
  }
  expect(await client.rules()).toHaveLength(Object.keys(rules).length)
})

test('a client of a session works in this session, and changes nothing in the home session', async () => {
  const client = openSimulatorControl(sim.url, 'client')
  expect(client.pageUrl).toBe(`${sim.url}/s/client`)
  await client.reset('seed-of-the-test')
  const msisdn = '254711000001'
  await client.addPhone({ msisdn, name: 'Wanjiku', balance: '100000', policy: { answer: 'ask' } })
  await sim.push({ PartyA: msisdn, PhoneNumber: msisdn, Amount: '10' })
  expect(await client.phone(msisdn)).toMatchObject({ prompt: { amount: '1000' } })
  await client.answer(msisdn, 'approve', '1234')
  const typed = { account_number: 'A1', amount: '500', pin: '1234' }
  const receipt = await client.payFromMenu(msisdn, { ...typed, business_number: mpesa.shortCode })
  expect(await client.book()).toMatchObject([{ kind: 'stk_push' }, { kind: 'pay_bill', receipt }])
  expect(await client.expect({ kind: 'money_moved', count: 2 })).toMatchObject({ met: true })
  expect(asKinds(['menu_refused']).every((kind) => eventKinds.includes(kind))).toBe(true)
  expect(await client.events(2)).toContainEqual(expect.objectContaining({ kind: 'push_accepted' }))
  expect(await client.playPack('cancel', { msisdn })).toMatchObject([{ when: { msisdn } }])
  await client.jump(60_000)
  expect(await client.clock({ paused: true, speed: 10 })).toHaveProperty('next')
  expect(await client.meta()).toMatchObject({ seed: 'seed-of-the-test' })
  await client.leave()
  expect(await openSimulatorControl(sim.url).book()).toEqual([])
})

test("throws the simulator's refusal with its reason", async () => {
  const client = openSimulatorControl(sim.url)
  await expect(client.phone('254799999999')).rejects.toThrow(
    'The simulator refused GET /phones/254799999999: 404 {"error":"phone_not_found","message":"No such phone',
  )
})

test('has a text for every moment at which a rule can intervene', () => {
  const shown = { moments } as unknown as Shown
  expect(asShapes(shown).moments).toEqual(moments)
})
