import { inTime } from './statement-clock'

const span = {
  fromMs: Date.parse('2026-11-20T14:15:00+03:00'),
  untilMs: Date.parse('2026-11-20T14:30:00+03:00'),
}
const row = (trxDate: unknown) => ({ transactionId: 'UKK1RT61SV', trxDate })

test.each([
  ['in true UTC', '2026-11-20T11:25:25Z'],
  ['with the zone of Nairobi', '2026-11-20T14:25:25+03:00'],
  ['without a zone', '2026-11-20 14:25:25'],
  ['by a clock that is two minutes fast', '2026-11-20T11:32:00Z'],
  ['that is too early', '2026-11-20T10:00:00Z'],
  ['that is none', 'yesterday'],
  ['that is a number', 20_261_120],
])('leaves a row alone with a time %s', (_, trxDate) => {
  const came = row(trxDate)
  expect(inTime(came, span)).toBe(came)
})

test.each([null, [], 'row', 7])('leaves %p alone, which is no row', (came) => {
  expect(inTime(came, span)).toBe(came)
})

test.each([
  ['is inside what was asked for', '2026-11-20T14:25:25Z', '2026-11-20T11:25:25.000Z'],
  ['is at its beginning', '2026-11-20T14:13:00Z', '2026-11-20T11:13:00.000Z'],
  ['is at its end', '2026-11-20T14:32:00Z', '2026-11-20T11:32:00.000Z'],
  ['is before it', '2026-11-20T14:12:59Z', null],
  ['is after it', '2026-11-20T14:32:01Z', null],
  ['has another zone', '2026-11-20T17:25:25+03:00', null],
  ['has no zone', '2026-11-20T17:25:25', null],
])(
  'reads a time in the future as one of Nairobi, or as null, where it then %s',
  (_, trxDate, malipoPaidAt) => {
    expect(inTime(row(trxDate), span)).toEqual({ ...row(trxDate), malipoPaidAt })
  },
)
