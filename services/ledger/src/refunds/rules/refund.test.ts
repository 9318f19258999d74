import { conflict } from '@malipo/kernel/machine'
import {
  isReceiptSubject,
  refundEffectOf,
  refundEvents,
  refundMachine,
  refundStatuses,
} from './refund'

test('a refund moves by this table of transitions, event by event', () => {
  const lines = refundStatuses.map((status) =>
    [
      status,
      ...refundEvents.map((event) => {
        const next = refundMachine[status][event]
        return `${event}:${next === conflict ? 'conflict' : next}`
      }),
    ].join(' '),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
"
asked agreed:approved withdrawn:withdrawn sent:conflict confirmed:paid declined:conflict
approved agreed:approved withdrawn:withdrawn sent:submitted confirmed:conflict declined:conflict
submitted agreed:conflict withdrawn:conflict sent:submitted confirmed:paid declined:failed
paid agreed:conflict withdrawn:conflict sent:conflict confirmed:paid declined:conflict
failed agreed:conflict withdrawn:conflict sent:conflict confirmed:paid declined:failed
withdrawn agreed:conflict withdrawn:withdrawn sent:conflict confirmed:conflict declined:conflict
"
`)
})

test('each message about a refund has this effect, by its strength', () => {
  const lines = Object.entries(refundEffectOf).flatMap(([strength, effects]) =>
    Object.entries(effects).map(([report, effect]) => `${report}, ${strength}: ${effect}`),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
"
refunded, E3: confirm
refused, E3: decline
payment_stands, E3: evaluate_standing
undecided, E3: keep
unreadable, E3: park
refunded, E2: ask
refused, E2: ask
payment_stands, E2: ask
undecided, E2: ask
unreadable, E2: park
"
`)
})

test('a refund that was paid stays paid, whatever event follows', () => {
  const after = Object.values(refundMachine.paid)
  expect(after.filter((next) => next !== conflict)).toEqual(['paid'])
})

test('a refund is sent only after a second operator has approved it', () => {
  const sent = refundStatuses.filter((status) => refundMachine[status].sent === 'submitted')
  expect(sent).toEqual(['approved', 'submitted'])
})

test.each(['mpesa:QK12345678', 'mtn_momo:23503452', 'airtel_money:MP210603.1234.L06941'])(
  'takes %s for a receipt',
  (subject) => {
    expect(isReceiptSubject(subject)).toBe(true)
  },
)

test.each(['QK12345678', 'mpesa:', ':QK1', "mpesa:' OR 1", 'mpesa:a:b'])(
  'does not take %s',
  (subject) => {
    expect(isReceiptSubject(subject)).toBe(false)
  },
)
