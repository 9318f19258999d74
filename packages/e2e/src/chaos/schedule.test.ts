import { faultKinds, scheduleFaults } from './schedule'

const request = { seed: 7, lengthMs: 60_000, kills: 48, kinds: faultKinds, each: 2 }

test('plans the same timeline for the same seed, and another timeline for another seed', () => {
  expect(scheduleFaults(request)).toEqual(scheduleFaults(request))
  expect(scheduleFaults({ ...request, seed: 8 })).not.toEqual(scheduleFaults(request))
})

test.each([1, 2, 3, 99, 2 ** 31])('plans the requested kills and faults with seed %d', (seed) => {
  const faults = scheduleFaults({ ...request, seed })
  const kills = faults.filter(({ kind }) => kind === 'kill')
  expect(kills).toHaveLength(48)
  // Each of the sixteen processes is killed.
  expect(new Set(kills.map(({ target }) => target)).size).toBe(16)
  for (const kind of faultKinds.slice(1)) {
    expect(faults.filter((fault) => fault.kind === kind)).toHaveLength(2)
  }
  expect(faults.every(({ atMs }) => atMs >= 0 && atMs < 60_000)).toBe(true)
  expect(faults.map(({ atMs }) => atMs)).toEqual(
    faults.map(({ atMs }) => atMs).sort((a, b) => a - b),
  )
  expect(
    faults.every(({ kind, heldMs }) => (kind === 'kill' ? heldMs === 0 : heldMs >= 1_000)),
  ).toBe(true)
})

test('plans kills and the requested kinds of faults, and no others', () => {
  const faults = scheduleFaults({ ...request, kinds: ['flush'], kills: 1 })
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(['kill', 'flush']))
})
