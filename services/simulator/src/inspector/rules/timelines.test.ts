import type { EventFacts, EventKind, SimEvent } from './event-log'
import { storyOf } from './timeline-story'
import { timelineContains, timelinesOf } from './timelines'

let lastId = 0
const event = (kind: EventKind, facts: EventFacts = {}): SimEvent => ({
  id: (lastId += 1),
  at: '',
  kind,
  facts,
})

const timeline = (...events: SimEvent[]) => ({ account: 'A1', events })

test('groups the events of one account, newest timeline first and the rest last', () => {
  const events = [
    event('reset'),
    event('push_accepted', { account: 'A1' }),
    event('push_accepted', { account: 'A2' }),
    event('token_issued'),
    event('money_moved', { account: 'A1' }),
  ]
  const timelines = timelinesOf(events)
  expect(timelines.map(({ account, events: own }) => [account, own.length])).toEqual([
    ['A1', 2],
    ['A2', 1],
    ['', 2],
  ])
})

test('finds a timeline by its facts and by its HTTP exchanges', () => {
  const exchange = {
    direction: 'in',
    method: 'POST',
    target: '/x',
    headers: {},
    body: '{"Amount":"7"}',
    answer: { status: 200, body: 'Accepted' },
  } as const
  const found = timeline({ ...event('call_answered', { account: 'A1' }), exchange })
  for (const words of ['a1', '"amount":"7"', 'accepted', ' CALL_', '']) {
    expect(timelineContains(found, [words])).toBe(true)
  }
  expect(timelineContains(found, ['nothing', 'neither'])).toBe(false)
})

test.each<[string, SimEvent[], string, string]>([
  ['rings', [event('prompt_opened')], 'ringing', 'Rings'],
  ['paid', [event('money_moved', { receipt: 'Q1' })], 'paid', 'Paid'],
  ['paid twice', [event('money_moved'), event('money_moved')], 'paid', 'Paid 2 times'],
  [
    'cancelled',
    [event('prompt_opened'), event('prompt_closed', { outcome: 'cancelled' })],
    'failed',
    'Cancelled',
  ],
  ['refused', [event('request_refused', { why: 'busy' })], 'failed', 'Refused'],
  [
    'refused after the payer agreed',
    [event('prompt_closed', { outcome: 'agreed' }), event('network_refused', { why: 'busy' })],
    'failed',
    'Refused by the network',
  ],
  ['nothing yet', [event('push_accepted')], 'waiting', 'Waits'],
])('the story of a payment has its state and title: %s', (_, events, standing, title) => {
  expect(storyOf(timeline(...events))).toMatchObject({ standing, title })
})

test('the story of an open payment names what it waits for', () => {
  const why = (...events: SimEvent[]) => storyOf(timeline(...events)).sentences
  expect(why(event('push_accepted'))).toEqual(['Nothing has been decided yet.'])
  expect(why(event('prompt_opened', { shown: true }))).toEqual([
    'The prompt is on the phone, and not answered yet.',
  ])
  expect(why(event('prompt_opened', { shown: false }))[0]).toContain('cannot show the prompt')
})

test('the story of a payment explains an unregistered number', () => {
  expect(
    storyOf(timeline(event('request_refused', { why: 'Invalid PhoneNumber' }))).sentences,
  ).toEqual([
    'A call was refused: Invalid PhoneNumber (no registered phone with this number takes prompts).',
  ])
})

test('a timeline names its causes: rules, callbacks, failed answers', () => {
  const { sentences } = storyOf(
    timeline(
      event('rule_applied', { rule: 'rule_2', on: 'callback', effect: 'drop' }),
      event('callback_dropped', { result: '0' }),
      event('query_answered', { result: '0' }),
      event('callback_delivered', { result: '0', status: 500 }),
      event('callback_failed', { result: '0', reason: 'ECONNREFUSED' }),
      event('call_answered', { call: 'POST /x', sent: 'nothing' }),
      event('call_answered', { call: 'POST /y', status: 500 }),
    ),
  )
  expect(sentences).toEqual([
    'POST /x got no answer.',
    'POST /y was answered 500.',
    'The callback (result 0) was never sent.',
    'The callback (result 0) was delivered; the receiver answered 500.',
    'The callback (result 0) was not delivered: ECONNREFUSED.',
    'We were asked how it stands, and answered 0.',
    'By rule_2, the callback never comes.',
  ])
})
