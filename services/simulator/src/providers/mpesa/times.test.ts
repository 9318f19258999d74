import { checkoutTime, compactTime, parseStatementTime, smsTime } from './times'

/** 11:25:01.007 in London, 14:25:01.007 in Nairobi. */
const afternoon = Date.UTC(2026, 10, 20, 11, 25, 1, 7)

test('instants are written in East African time', () => {
  expect(compactTime(afternoon)).toBe('20261120142501')
  expect(compactTime(Date.UTC(2026, 11, 31, 21, 0, 0))).toBe('20270101000000')
})

test('an id contains day, month, year, time and unpadded milliseconds', () => {
  expect(checkoutTime(afternoon)).toBe('201120261425017')
})

test.each([
  [Date.UTC(2026, 10, 20, 11, 25), '20/11/26 at 2:25 PM'],
  [Date.UTC(2026, 10, 20, 9, 5), '20/11/26 at 12:05 PM'],
  [Date.UTC(2026, 10, 19, 21, 5), '20/11/26 at 12:05 AM'],
  [Date.UTC(2026, 0, 2, 0, 59), '02/01/26 at 3:59 AM'],
])('an SMS writes %i as %s', (atMs, text) => {
  expect(smsTime(atMs)).toBe(text)
})

test.each([
  ['2026-11-20 14:25:01', Date.UTC(2026, 10, 20, 11, 25, 1)],
  ['2026-11-20 14:25', Date.UTC(2026, 10, 20, 11, 25)],
  ['2020-08-04 8:36:00', Date.UTC(2020, 7, 4, 5, 36)],
  ['2020-08-16 10:10:000', Date.UTC(2020, 7, 16, 7, 10)],
  ['2026-13-20 14:25:01', undefined],
  ['2026-11-20T14:25:01', undefined],
  ['20261120142501', undefined],
  ['', undefined],
])('reads the time %s of a request for a statement as %p', (text, ms) => {
  expect(parseStatementTime(text)).toBe(ms)
})
