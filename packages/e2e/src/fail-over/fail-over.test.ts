import { main } from './fail-over'

test('npm run fail-over prints its usage, and refuses a pace that is no number', async () => {
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await main(['--help'])).toBe(0)
  expect(stdout.mock.calls.join('')).toMatch(/Usage: npm run fail-over/)
  stdout.mockRestore()
  await expect(main(['--pace', 'fast'])).rejects.toThrow('--pace is a whole number from 1 up')
})
