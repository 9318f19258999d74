import type { SubmitOutcome } from '@malipo/kernel/provider-fact'
import type { Prompt as OrderedPrompt } from '@malipo/ledger-client/prompts'
import type { Prompt, Rail } from '@malipo/rails/rail'
import { openLog } from '@malipo/runtime/log'
import { submitPrompt } from './submit-prompt'

const intentId = 'pi_0f4c8a5d2b7e4f1c9a6d3e8b'
const startMs = Date.parse('2026-11-20T14:25:01+03:00')

test('a prompt may be sent until a minute after its job began, however long the ledger and the lookup of the name take', async () => {
  let nowMs = startMs
  const order: OrderedPrompt = {
    ...{ accountId: 'acct_ke_0f4c8a5d2b7e4f1c', rail: 'mpesa', card: undefined },
    ...{ phone: '254708374149', amountMinor: 50_000n, attemptReference: 'A1B2C3D4E5F6' },
    callbackToken: '0f4c8a5d2b7e4f1c9a6d3e8b5c2f7a10',
  }
  const slowly = <Value>(value: Value) => {
    nowMs += 20_000
    return Promise.resolve(value)
  }
  const prompts: Prompt[] = []
  const recorded: SubmitOutcome[] = []
  const submit: Rail['submit'] = (prompt) => {
    prompts.push(prompt)
    return Promise.resolve({ kind: 'not_sent', detail: 'its time to be sent is over' })
  }
  await submitPrompt(
    {
      ledger: {
        beginSubmit: () => slowly(order),
        recordSubmit(_, outcome) {
          recorded.push(outcome)
          return Promise.resolve()
        },
        recordCardSession: () => Promise.resolve(),
      },
      accounts: { displayName: () => slowly('Mama Mboga') },
      rails: new Map([['mpesa', { submit }] as const]),
      card: undefined,
      callbackBaseUrl: 'https://callbacks.example.com',
      announce: () => undefined,
      announceProgress: () => undefined,
      clock: { now: () => nowMs },
      log: openLog('test', 'silent'),
    },
    intentId,
  )
  expect(prompts).toMatchObject([{ intentId, sendByMs: startMs + 60_000 }])
  expect(recorded).toMatchObject([{ kind: 'not_sent' }])
})
