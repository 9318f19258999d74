import type { EventFacts, EventKind } from './event-log'
import { sequenceOf } from './sequence'

const events = (...all: readonly (readonly [EventKind, EventFacts])[]) =>
  all.map(([kind, facts], index) => ({
    id: index + 1,
    at: new Date(index).toISOString(),
    kind,
    facts,
  }))

test('draws a lost callback as a message that never came, after call, prompt, answer and money', () => {
  const drawn = sequenceOf(
    events(
      ['prompt_opened', { shown: true }],
      ['call_answered', { call: 'POST /mpesa/stkpush/v1/processrequest', status: 200, took_ms: 1 }],
      ['rule_applied', { rule: 'rule_1' }],
      ['prompt_closed', { outcome: 'agreed' }],
      ['money_moved', { receipt: 'UKK1' }],
      ['callback_dropped', { result: '0' }],
    ),
  )
  expect(drawn).toEqual([
    { from: 'merchant', to: 'provider', text: 'stkpush: 200', isBad: false },
    { from: 'provider', to: 'payer', text: 'prompt', isBad: false },
    { from: 'payer', to: 'provider', text: 'agreed', isBad: false },
    { from: 'payer', to: 'provider', text: 'money, UKK1', isBad: false },
    { from: 'provider', to: 'merchant', text: 'callback 0: never sent', isBad: true },
  ])
})

test.each([
  ['POST /collection/v1_0/requesttopay', 'requesttopay'],
  ['POST /merchant/v1/payments/', 'payments'],
  ['PUT /api/rest/version/{version}/merchant/{merchant}/order/{order}', 'order'],
])('the call %s is named %s in the diagram', (call, name) => {
  expect(sequenceOf(events(['call_answered', { call, status: 500 }]))[0]).toEqual({
    from: 'merchant',
    to: 'provider',
    text: `${name}: 500`,
    isBad: true,
  })
})
