import { cloneDatabase } from '@malipo/testing/database'
import { main, measureSizes } from './measure-size.harness'
import { sizeTable } from './sizes.harness'

// The short form of `npm run measure-size`, which makes some thousands of payments.
test('a payment whose month is detached keeps no step in the database, and less of its messages than before', async () => {
  const database = await cloneDatabase('ledger')
  const many = { payments: 100, callers: 4, progress: () => undefined }
  const { made, packed, fileBytes } = await measureSizes(database, many)
  await database.drop()
  const rowsOf = (sizes: typeof made, name: string) =>
    sizes.find(({ table, index }) => table === name && index === undefined)?.bytes ?? -1
  expect(rowsOf(made, 'intent_steps')).toBeGreaterThan(0)
  expect(rowsOf(packed, 'intent_steps')).toBeLessThanOrEqual(0)
  const messages = rowsOf(made, 'provider_messages')
  expect(rowsOf(packed, 'provider_messages')).toBeLessThan(messages / 2)
  expect(fileBytes).toBeLessThan(messages)
  expect(sizeTable([made, packed], 100)).toMatch(/^\| provider_messages \|.*\n(.*\n)*\| all \|/)
})

test('npm run measure-size prints its usage', async () => {
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await main(['--help'])).toBe(0)
  expect(stdout.mock.calls.join('')).toMatch(/Usage: npm run measure-size/)
  stdout.mockRestore()
})
