import { main } from './chaos'

test('npm run chaos prints its usage, and refuses a fault that it does not know', async () => {
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await main(['--help'])).toBe(0)
  expect(stdout.mock.calls.join('')).toMatch(/Usage: npm run chaos/)
  stdout.mockRestore()
  await expect(main(['--faults', 'kill,meteor'])).rejects.toThrow('--faults')
})
