import { main } from './bench'

let stdout: jest.SpyInstance
beforeEach(() => {
  stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
})
afterEach(() => jest.restoreAllMocks())

test.each([
  [['--help'], 0, /bench -- ledger \| rows \| statement \| overload/],
  [['ledger', '--help'], 0, /--pgledger PATH/],
  [['rows', '--help'], 0, /--rows N/],
  [['statement', '--help'], 0, /--rows N/],
  [['overload', '--help'], 0, /--times N/],
  [['waiting', '--help'], 0, /--waiters N/],
  [['services', '--help'], 0, /--profiles DIR/],
  [['parts', '--help'], 0, /--in-flight N/],
  [['compare', '--help'], 0, /BEFORE\.json AFTER\.json/],
  [['nothing'], 2, /bench -- ledger \| rows/],
])('%s prints the usage', async (args, code, text) => {
  expect(await main(args)).toBe(code)
  expect(stdout.mock.calls.join('')).toMatch(text)
})

test('names the package to install where pgbench is missing', async () => {
  const warned = jest.spyOn(process.stderr, 'write').mockReturnValue(true)
  expect(await main(['ledger', '--pgbench', '/nowhere/pgbench'])).toBe(2)
  expect(warned.mock.calls.join('')).toMatch(/apt-get install --yes postgresql-contrib/)
})
