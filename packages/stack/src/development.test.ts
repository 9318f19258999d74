import { readInspected, restartReporter } from './development'

describe('--inspect', () => {
  test.each([
    [['--inspect', 'keys', '--fresh'], 'keys', ['--fresh']],
    [['--dir', 'x', '--inspect=ledger-ug'], 'ledger-ug', ['--dir', 'x']],
    [['--fresh'], undefined, ['--fresh']],
  ])('of %p names the process and leaves the other options', (args, inspected, rest) => {
    expect(readInspected(args)).toEqual({ inspected, rest })
  })

  test.each([['--inspect', 'redis'], ['--inspect=nothing'], ['--inspect']])(
    '%s %s is refused with the names of the processes',
    (...args) => {
      expect(() => readInspected(args)).toThrow(/needs the name of a process: .*gateway-ke/)
    },
  )
})

describe('the terminal', () => {
  const reports = (...lines: readonly (readonly [string, number?])[]) => {
    const reported: string[] = []
    const report = restartReporter('keys', (line) => reported.push(line))
    for (const [line, atMs] of lines) report(line, atMs)
    return reported
  }
  const started = '{"level":"info","service":"keys","msg":"started"}'

  test('shows a restart and how long it took', () => {
    expect(
      reports(["Restarting 'src/main.ts'", 1_000], ['{"level":"info"}', 1_500], [started, 2_300]),
    ).toEqual(['keys restarts …', 'keys runs again after 1.3 s'])
  })

  test('shows why a process does not start, without the stack trace', () => {
    const lines = ["Restarting 'x'", 'Error: x Expression expected', '    at Module.load', '']
    expect(reports(...lines.map((line) => [line] as const), ["Failed running 'x'"])).toEqual([
      'keys restarts …',
      'keys does not start:\n  Error: x Expression expected',
    ])
  })

  test('shows nothing of an ordinary log', () => {
    expect(reports([started], ['{"level":"warn","msg":"answered"}'])).toEqual([])
  })
})
