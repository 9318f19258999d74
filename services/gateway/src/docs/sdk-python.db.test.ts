import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { provideFlask } from '@malipo/testing/flask'
import { signed } from '@malipo/testing/webhook-receiver'
import { playPayers } from './docs-payers.harness'
import { payAndRefund } from './readme-programs.harness'
import { type RunningHost, startHost } from '../start.harness'

const sources = join(__dirname, '../../../../packages/sdk-python')
const tests = join(sources, 'tests')
const names = readdirSync(tests).flatMap((file) =>
  Array.from(
    readFileSync(join(tests, file), 'utf8').matchAll(/^ {4}def (test_\w+)/gm),
    ([, name = '']) => name,
  ),
)

const dir = mkdtempSync(join(tmpdir(), 'malipo-sdk-python-'))
let host: RunningHost
let payers: { stop(): Promise<void> }
/** The output of `python3 -m unittest` for all tests. */
let output = ''

beforeAll(async () => {
  const flask = await provideFlask((line) => process.stderr.write(`${line}\n`))
  const [wheel, site] = await buildWheel()
  host = await startHost()
  payers = playPayers(host)
  const merchant = await host.merchant()
  const refunded = await host.checkout(merchant, { amount: 150_000, reference: 'refunded-order' })
  await payAndRefund(refunded.id, host)
  output = await runTests({
    MALIPO_URL: host.url,
    MALIPO_KEY: merchant.secretKey,
    MALIPO_REFUNDED: refunded.id,
    MALIPO_WEBHOOK: JSON.stringify(webhook()),
    MALIPO_README: join(sources, 'README.md'),
    MALIPO_WHEEL: wheel,
    PYTHONPATH: [site, flask].filter(Boolean).join(delimiter),
    // Python would write bytecode into the sources, and the next build would take it for a source of ours.
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONUTF8: '1',
  })
})
afterAll(async () => {
  await payers.stop()
  await host.stop()
  rmSync(dir, { recursive: true })
})

/** Runs the steps of `pip wheel` and `pip install`: a bare python3 has no pip. */
async function buildWheel() {
  const site = join(dir, 'site')
  mkdirSync(site)
  const build = 'import build_wheel, sys; print(build_wheel.build_wheel(sys.argv[1]))'
  const env = { PYTHONPATH: join(sources, 'build-backend'), PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await python(['-c', build, dir], env)
  const wheel = join(dir, stdout.trim())
  await python(['-m', 'zipfile', '-e', wheel, site], {})
  return [wheel, site] as const
}

/** Runs every Python test. Its output names those that fail. */
async function runTests(env: Readonly<Record<string, string>>): Promise<string> {
  const all = ['-m', 'unittest', 'discover', '--verbose', '--start-directory', tests]
  return python(all, env).then(
    ({ stderr }) => stderr,
    (error: unknown) => {
      const { stderr } = error as { readonly stderr?: string }
      if (stderr === undefined || stderr === '') throw error
      return stderr
    },
  )
}

/** A missing interpreter fails the test. */
function python(args: readonly string[], env: Readonly<Record<string, string>>) {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return promisify(execFile)('env', [...variables, 'python3', ...args], {
    cwd: dir,
    timeout: 150_000,
  })
}

/** A request that the public library of Standard Webhooks signed. */
function webhook() {
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  const data = { id: 'cs_ke_0123456789abcdef01234567' }
  const timestamp = '2026-11-22T09:00:00.000Z'
  const body = JSON.stringify({ type: 'checkout.completed', timestamp, data })
  return { secret, ...signed(secret, body) }
}

/** The output about a failed test. */
function reportOf(name: string): string {
  const blocks = output.split('='.repeat(70)).filter((block) => block.includes(`: ${name} (`))
  return blocks.join('') || output
}

test.each(names)('%s', (name) => {
  const outcome = new RegExp(`^${name} \\(.*\\) \\.\\.\\. (.*)$`, 'm').exec(output)?.[1]
  expect(outcome === 'ok' ? 'ok' : reportOf(name)).toBe('ok')
})
