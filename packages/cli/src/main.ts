import { homedir } from 'node:os'
import { runCli } from './run-cli'

const stop = new AbortController()
// The second Ctrl-C meets no handler and ends the process at once.
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => {
    stop.abort()
  })
}
// A program that reads the output, such as `head`, may close the pipe early.
process.stdout.on('error', () => {
  stop.abort()
})

const { env, stdout, stderr } = process
const argv = process.argv.slice(2)
void runCli({ argv, env, homeDir: homedir(), stdout, stderr, signal: stop.signal }).then((code) => {
  process.exitCode = code
})
