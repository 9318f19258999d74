import { joined, quietAfter, type QuietStretch } from './quiet-stretch'

const hourMs = 3_600_000
const part = (fromHour: number, untilHour: number) => ({
  from: new Date(fromHour * hourMs),
  until: new Date(untilHour * hourMs),
})

/** Doubtful readings of 48 hours, from one that was listed until hour 10 to hour 98. */
function quietTo98(): QuietStretch {
  const listed = quietAfter(undefined, part(0, 10), 'read')
  const once = quietAfter(listed, part(9, 50), 'doubtful')
  return quietAfter(once, part(50, 98), 'doubtful')
}

test('a reading joins the quiet stretch that it follows, and no further back', () => {
  expect(joined(quietTo98(), part(60, 108))).toEqual(part(10, 108))
  expect(joined(quietTo98(), part(5, 108))).toEqual(part(5, 108))
})

test.each<[string, QuietStretch]>([
  ['there is a gap before it', quietTo98()],
  ['nothing was listed before it', quietAfter(undefined, part(50, 98), 'doubtful')],
  ['its grant was refused', quietAfter(quietTo98(), part(60, 99), 'not_granted')],
])('a reading stands by itself where %s', (_, quiet) => {
  expect(joined(quiet, part(99, 147))).toEqual(part(99, 147))
})

test('doubtful words behind a gap prove nothing of what was before it', () => {
  expect(quietAfter(quietTo98(), part(99, 147), 'doubtful')).toBeUndefined()
})

test.each(['unanswered', 'unapplied'] as const)(
  'a reading that ends %s leaves the stretch',
  (result) => {
    expect(quietAfter(quietTo98(), part(60, 99), result)).toEqual(part(10, 98))
  },
)
