import { readCaller } from './read-caller'

test('records the caller of a request without headers as unknown', () => {
  expect(readCaller(undefined)).toEqual({ address: '', userAgent: '' })
})

test('cuts a caller to its bound, without characters that a log cannot show', () => {
  const userAgent = `☎️\u0000\n${'x'.repeat(300)}`
  const caller = readCaller({ address: '::1', userAgent })
  expect(caller.address).toBe('::1')
  expect(caller.userAgent).toMatch(/^☎️x+$/)
  expect([...caller.userAgent]).toHaveLength(256)
})
