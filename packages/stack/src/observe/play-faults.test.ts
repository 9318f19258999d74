import { main } from './play-faults.harness'

test('npm run alerts with --help prints its help, and plays no fault', async () => {
  const print = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await main(['--help'])).toBe(0)
  expect(print).toHaveBeenCalledWith(expect.stringContaining('npm run alerts'))
  print.mockRestore()
})
