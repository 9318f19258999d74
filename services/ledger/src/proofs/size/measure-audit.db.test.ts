import { cloneDatabase } from '@malipo/testing/database'
import { main, measureAudit } from './measure-audit.harness'

// The short form of `npm run measure-audit`, which audits a million payments.
test('the query of every invariant answers in time, and every invariant holds for payments and their copies', async () => {
  const database = await cloneDatabase('ledger')
  const many = { payments: 2_000, made: 20, onProgress: () => undefined }
  const { bad, payments } = await measureAudit(database, many)
  await database.drop()
  expect({ bad, payments }).toEqual({ bad: [], payments: 2_000 })
})

test('npm run measure-audit prints its usage', async () => {
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await main(['--help'])).toBe(0)
  expect(stdout.mock.calls.join('')).toMatch(/Usage: npm run measure-audit/)
  stdout.mockRestore()
})
