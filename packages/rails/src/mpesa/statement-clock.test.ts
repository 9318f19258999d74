import { inTime } from './statement-clock'

const span = {
  fromMs: Date.parse('2026-11-20T14:15:00+03:00'),
  untilMs: Date.parse('2026-11-20T14:30:00+03:00'),
}
const row = (trxDate: unknown) => ({ transactionId: 'UKK1RT61SV', trxDate })

test.each([
  ['UTC', '2026-11-20T11:25:25Z'],
  ['in the zone of Nairobi', '2026-11-20T14:25:25+03:00'],
  ['written without a zone', '2026-11-20 14:25:25'],
  ['two minutes fast', '2026-11-20T11:32:00Z'],
  ['before the requested span', '2026-11-20T10:00:00Z'],
  ['unreadable', 'yesterday'],
  ['a number', 20_261_120],
])('returns a row unchanged whose time is %s', (_, trxDate) => {
  const came = row(trxDate)
  expect(inTime(came, span)).toBe(came)
})

test.each([null, [], 'row', 7])('returns %p unchanged, because it is no row', (came) => {
  expect(inTime(came, span)).toBe(came)
})

test.each([
  ['is in the span as East African Time', '2026-11-20T14:25:25Z', '2026-11-20T11:25:25.000Z'],
  [
    'is at the start of the span as East African Time',
    '2026-11-20T14:13:00Z',
    '2026-11-20T11:13:00.000Z',
  ],
  [
    'is at the end of the span as East African Time',
    '2026-11-20T14:32:00Z',
    '2026-11-20T11:32:00.000Z',
  ],
  ['is before the span as East African Time', '2026-11-20T14:12:59Z', null],
  ['is after the span as East African Time too', '2026-11-20T14:32:01Z', null],
  ['has another zone than Z', '2026-11-20T17:25:25+03:00', null],
  ['has no zone', '2026-11-20T17:25:25', null],
])(
  'of a row dated after the requested span, a time that %s (%s) is read as %p',
  (_, trxDate, malipoPaidAt) => {
    expect(inTime(row(trxDate), span)).toEqual({ ...row(trxDate), malipoPaidAt })
  },
)
