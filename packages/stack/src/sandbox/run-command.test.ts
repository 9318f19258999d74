import { runCommand } from './run-command'

const run = (script: string, signal = new AbortController().signal) =>
  runCommand([process.execPath, '-e', script], { settings: { MALIPO_KEY: 'mkp_test_1' }, signal })

test('resolves to the exit code of the command, which has the settings', async () => {
  expect(await run(`process.exit(process.env.MALIPO_KEY === 'mkp_test_1' ? 4 : 5)`)).toBe(4)
})

test('resolves to 128 and the number of the signal that ended the command', async () => {
  expect(await run(`process.kill(process.pid, 'SIGKILL')`)).toBe(137)
})

test('ends the command when the sandbox is asked to stop', async () => {
  const stop = new AbortController()
  const running = run('setInterval(() => {}, 1000)', stop.signal)
  stop.abort()
  expect(await running).toBe(143)
})

test('rejects when there is no such program', async () => {
  const signal = new AbortController().signal
  await expect(runCommand(['no-such-program'], { settings: {}, signal })).rejects.toThrow('ENOENT')
})
