import { withMutant } from './mutants.harness'

const planted = { world: ['ke', 1], from: 'now', to: 'NULL' } as const
const statementsOf = (...texts: string[]) => texts.map((text) => ({ name: `save ${text}`, text }))

test('the statements are sound again after a task that rejects', async () => {
  const statements = statementsOf('SELECT now', 'SELECT 1, now')
  const texts = () => statements.map(({ text }) => text)
  const run = withMutant({ ...planted, statements }, async () => {
    expect(texts()).toEqual(['SELECT NULL', 'SELECT 1, NULL'])
    return Promise.reject(new Error('the database is gone'))
  })
  await expect(run).rejects.toThrow('the database is gone')
  expect(texts()).toEqual(['SELECT now', 'SELECT 1, now'])
})

test('no statement is changed when one of them lacks the text to replace', async () => {
  const statements = statementsOf('SELECT now', 'SELECT 1')
  const task = jest.fn(() => Promise.resolve())
  await expect(withMutant({ ...planted, statements }, task)).rejects.toThrow(
    'save SELECT 1 has no now',
  )
  expect(task).not.toHaveBeenCalled()
  expect(statements.map(({ text }) => text)).toEqual(['SELECT now', 'SELECT 1'])
})
