import { later } from '../settlement/state'
import { waitSeconds } from './state'

const now = 1_800_000_000_000_001
const ago = (seconds: number) => later(now, -seconds)

test.each<[string, readonly number[], number | undefined]>([
  ['there are fewer than the limit', [ago(1), ago(2)], undefined],
  ['the third newest began an hour ago', [ago(1), ago(2), ago(3_600)], undefined],
  ['it began a microsecond later', [ago(1), ago(2), ago(3_600) + 1], 1],
  ['it began this moment', [now, now, now], 3_600],
  ['their order is any', [ago(3_000), ago(1), ago(100), ago(3_500)], 600],
])('the wait under a limit of three an hour, when %s', (_, moments, seconds) => {
  expect(waitSeconds(now, moments, 3)).toBe(seconds)
})
