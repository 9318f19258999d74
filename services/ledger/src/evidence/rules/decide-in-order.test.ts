import { inOrder, type Proposed } from './decide-in-order'
import type { Applied, Writes } from './state'

const applied: Applied = {
  ...{ result: 'kept', status: 'pending', statusBefore: 'pending' },
  ...{ kind: 'callback', strength: 'E2', disposition: null },
}

function proposed(messageId: string, about: string[], receipts: string[] = []): Proposed {
  const writes: Writes = {
    message: {
      id: messageId,
      fact: 'paid',
      strength: 'E2',
      result: 'kept',
      receipt: null,
    },
    transfers: receipts.map((eventKey) => ({
      ...{
        eventKey,
        leg: 0,
        debit: 'float:mpesa',
        credit: 'wallet:acc_1',
        minor: 1n,
        eventAt: 0,
      },
    })),
  }
  return { about, decided: { applied, writes } }
}

const first = proposed('pm_1', ['pi_1', 'cs_1'], ['receipt:mpesa:R1'])

test.each<[string, Proposed, boolean]>([
  ['about the same intent', proposed('pm_2', ['pi_1']), false],
  ['about the same checkout', proposed('pm_2', ['pi_2', 'cs_1']), false],
  ['with the same receipt', proposed('pm_2', ['pi_2', 'cs_2'], ['receipt:mpesa:R1']), false],
  ['of the same message', proposed('pm_1', []), false],
  ['about something else', proposed('pm_2', ['pi_2', 'cs_2'], ['receipt:mpesa:R2']), true],
])('decides whether a batch also takes a second command %s', (_, second, isTaken) => {
  expect(inOrder([first, second])).toEqual([first.decided, isTaken ? second.decided : undefined])
})

test('a batch takes a command that writes nothing, and leaves out one that was not loaded', () => {
  const answered = { about: ['pi_1'], decided: { applied } }
  expect(inOrder([first, answered, undefined])).toEqual([first.decided, { applied }, undefined])
})
