import { main } from './rolling-restarts'

test('npm run rolling-restarts prints its usage, and refuses rounds that are no number', async () => {
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await main(['--help'])).toBe(0)
  expect(stdout.mock.calls.join('')).toMatch(/Usage: npm run rolling-restarts/)
  stdout.mockRestore()
  await expect(main(['--rounds', 'many'])).rejects.toThrow('--rounds')
})
