import { afterSlice, firstRereads, nextSlice, partsOf, type Reread } from './statement-slices'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const nowMs = 1_000 * hourMs
const ago = (ms: number) => new Date(nowMs - ms)
const spanMs = 6 * hourMs

test.each<[string, Omit<Reread, 'spanMs'>, [number, number, number]]>([
  ['from now where nothing was read', { untilMs: 0, rowOffset: 0 }, [30, 0, 0]],
  ['back from what was read', { untilMs: nowMs - 45 * minuteMs, rowOffset: 0 }, [75, 45, 0]],
  [
    'on with the rest of a slice that has more rows',
    { untilMs: nowMs - 45 * minuteMs, rowOffset: 2_000 },
    [75, 45, 2_000],
  ],
  [
    'back no further than the span',
    { untilMs: nowMs - spanMs + minuteMs, rowOffset: 0 },
    [360, 359, 0],
  ],
  ['from now again after the oldest', { untilMs: nowMs - spanMs, rowOffset: 0 }, [30, 0, 0]],
  [
    'from now where the rest of a slice is too old',
    { untilMs: nowMs - spanMs, rowOffset: 2_000 },
    [30, 0, 0],
  ],
])('the next slice goes %s', (_, reread, [fromMinutes, untilMinutes, rowOffset]) => {
  expect(nextSlice({ spanMs, ...reread }, nowMs)).toEqual({
    from: ago(fromMinutes * minuteMs),
    until: ago(untilMinutes * minuteMs),
    rowOffset,
  })
})

test('after a slice read to its end comes the one before it in time, and after a part of a slice its other rows', () => {
  const reread = { spanMs, untilMs: 0, rowOffset: 0 }
  const slice = nextSlice(reread, nowMs)
  const rest = afterSlice(reread, slice, 2_000)
  expect(nextSlice(rest, nowMs + minuteMs)).toEqual({ ...slice, rowOffset: 2_000 })
  expect(nextSlice(afterSlice(rest, slice, undefined), nowMs + minuteMs)).toEqual({
    from: ago(60 * minuteMs),
    until: slice.from,
    rowOffset: 0,
  })
})

test.each(firstRereads)('reads every minute of $spanMs ms once in a round', ({ spanMs: span }) => {
  let reread: Reread = { spanMs: span, untilMs: 0, rowOffset: 0 }
  let reached = ago(0)
  for (let slices = 0; slices < (2 * span) / hourMs; slices += 1) {
    const slice = nextSlice(reread, nowMs)
    expect(slice.until).toEqual(reached)
    reached = slice.from
    reread = afterSlice(reread, slice, undefined)
  }
  expect(reached).toEqual(ago(span))
})

test.each([
  ['nothing', 0, [[0, 0]]],
  ['less than two hours', 1, [[1, 0]]],
  ['two hours', 2, [[2, 0]]],
  [
    'five hours',
    5,
    [
      [5, 3],
      [3, 1],
      [1, 0],
    ],
  ],
])('reads %s in parts of two hours, the oldest first', (_, hours, parts) => {
  expect(partsOf(nowMs - hours * hourMs, nowMs)).toEqual(
    parts.map(([from = 0, until = 0]) => ({
      from: ago(from * hourMs),
      until: ago(until * hourMs),
    })),
  )
})
