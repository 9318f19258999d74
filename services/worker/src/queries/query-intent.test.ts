import type { Query } from '@malipo/ledger-client/prompts'
import { openLog } from '@malipo/runtime/log'
import type { JobDeps } from '../sweep/job-deps'
import { queryIntent } from './query-intent'

test.each([true, false])(
  'a rail learns with the question whether the payment has ended: %s',
  async (isWatch) => {
    const askStatus = jest.fn(() => Promise.resolve({ kind: 'unanswered', detail: 'no call left' }))
    const query: Partial<Query> = { rail: 'airtel_money', providerRequestId: 'a1' }
    const deps = {
      ledger: { beginQuery: () => Promise.resolve(query) },
      rails: new Map([['airtel_money', { askStatus }]]),
      runQuery: (_: unknown, run: () => Promise<string>) => run(),
      log: openLog('test', 'silent'),
    } as unknown as JobDeps
    expect(await queryIntent(deps, 'pi_1', { rail: 'airtel_money', isWatch })).toBe('unanswered')
    expect(askStatus).toHaveBeenCalledWith('a1', undefined, undefined, isWatch)
  },
)
