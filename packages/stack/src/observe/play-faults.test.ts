import { main } from './play-faults.harness'

test('says what it does, and plays nothing, when asked for help', async () => {
  const print = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await main(['--help'])).toBe(0)
  expect(print).toHaveBeenCalledWith(expect.stringContaining('npm run alerts'))
  print.mockRestore()
})
