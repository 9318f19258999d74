import { compare } from './compare'
import type { Level, Result } from './report'

const resultOf = (gateway: number): Result => {
  const measured = {
    ...{ pace: 1, p50Ms: 1, p99Ms: 1 },
    processorMs: { gateway, ledger: 4, keys: 0 },
  }
  const names = ['floorGet', 'floorPost', 'read', 'readPaid', 'create', 'payment'] as const
  const units = Object.fromEntries(names.map((name) => [name, measured]))
  const level = { inFlight: 16, ...units } as unknown as Level
  const halfPace = { paymentsPerSecond: 1, completedP50Ms: 1, completedP99Ms: 1, createdP99Ms: 1 }
  const rest = { restMb: 1, restMs: { gateway: 1 }, secondStartSeconds: 1 }
  return { rounds: [{ levels: [level], tpcB: 1 }], halfPace, ...rest }
}

test('lists the processor time of a unit before and after, in total and by process, without idle processes', () => {
  const lines = compare(resultOf(8), resultOf(2)).split('\n')
  expect(lines.filter((line) => line.startsWith('payment'))).toEqual([
    expect.stringMatching(/^payment +16 +all +12\.00 +6\.00 +0\.50$/),
    expect.stringMatching(/^payment +16 +gateway +8\.00 +2\.00 +0\.25$/),
    expect.stringMatching(/^payment +16 +ledger +4\.00 +4\.00 +1\.00$/),
  ])
})
