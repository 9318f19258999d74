import { readWaitSeconds } from './read-prefer'

test.each([
  ['wait=5', 5],
  ['wait=60', 60],
  ['wait=0', 0],
  ['WAIT=5', 5],
  ['Wait = 5', 5],
  ['wait="5"', 5],
  ['respond-async, wait=10', 10],
  ['respond-async,wait=10,,handling=lenient', 10],
  ['return="a, wait=3", wait=10', 10],
  [String.raw`return="a\", wait=3", wait=10`, 10],
  ['wait=5; foo="a;b"; bar, return=minimal', 5],
  ['wait=5, wait=10', 5],
])('reads the wait of `%s`', (prefer, seconds) => {
  expect(readWaitSeconds(prefer)).toBe(seconds)
})

test.each([
  undefined,
  '',
  'wait',
  'wait=',
  'wait=""',
  'wait=61',
  'wait=99999999999999999999',
  'wait=-1',
  'wait=5.5',
  'wait=soon',
  'wait=61, wait=5',
  'return=minimal; wait=5',
  'wait=5 6',
  'wait=5, =',
  'wait="5',
  'awaited=5',
])('ignores `%s`', (prefer) => {
  expect(readWaitSeconds(prefer)).toBeUndefined()
})

test('rejects a malformed header of 16 KB in a few milliseconds', () => {
  const began = process.cpuUsage()
  for (const part of [' ', ';', '"', ', ', ' ;', '=', 'a;']) {
    expect(readWaitSeconds(`a=${part.repeat(16_000 / part.length)}@`)).toBeUndefined()
  }
  expect(process.cpuUsage(began).user).toBeLessThan(1_000_000)
})
