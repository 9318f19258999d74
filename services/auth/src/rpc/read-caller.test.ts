import { readCaller } from './read-caller'

test('the caller of a request that names none is unknown', () => {
  expect(readCaller(undefined)).toEqual({ address: '', userAgent: '' })
})

test('a caller is kept as long as it fits, without characters that no log can show', () => {
  const userAgent = `☎️\u0000\n${'x'.repeat(300)}`
  const caller = readCaller({ address: '::1', userAgent })
  expect(caller.address).toBe('::1')
  expect(caller.userAgent).toMatch(/^☎️x+$/)
  expect([...caller.userAgent]).toHaveLength(256)
})
