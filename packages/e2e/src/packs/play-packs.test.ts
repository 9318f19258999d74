import { main } from './play-packs'

test('--help prints the help and starts nothing', async () => {
  const output: string[] = []
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output.push(String(text))
    return true
  })
  expect(await main(['--help'])).toBe(0)
  write.mockRestore()
  expect(output.join('')).toMatch(
    /Usage: npm run packs .* --only .* --storms .* --stack .* --whole-shillings\s.* --airtel .* --pictures/s,
  )
})

test('a story that does not exist is refused before anything starts', async () => {
  await expect(main(['--only', 'cancel,unhappy'])).rejects.toThrow('There is no story unhappy')
})
