import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { providePhp } from '@malipo/testing/php'
import { playPayers } from './docs-payers.harness'
import {
  buyFromShop,
  lineOf,
  payFirst,
  programsOf,
  running,
  webhookOf,
  webhookSecret,
} from './readme-programs.harness'
import { openRelay, type Relay } from './sdk-relay.harness'
import { type RunningHost, startHost } from '../start.harness'

const sources = join(__dirname, '../../../../packages/sdk-php')
const tests = join(sources, 'tests')
const names = readdirSync(tests).flatMap((file) =>
  Array.from(
    readFileSync(join(tests, file), 'utf8').matchAll(/^function (test_\w+)/gm),
    ([, name = '']) => name,
  ),
)
const [first, shop] = programsOf(join(sources, 'README.md'), 'php')

const dir = mkdtempSync(join(tmpdir(), 'malipo-sdk-php-'))
let host: RunningHost
let relay: Relay
let payers: { stop(): Promise<void> }
let php: string
let env: NodeJS.ProcessEnv
let outcomes: Readonly<Record<string, string>> = {}

beforeAll(async () => {
  php = await providePhp((line) => process.stderr.write(`${line}\n`))
  for (const name of ['composer.json', 'autoload.php', 'src'])
    cpSync(join(sources, name), join(dir, 'sdk-php', name), { recursive: true })
  host = await startHost()
  relay = await openRelay(host.url)
  payers = playPayers(host)
  const { secretKey } = await host.merchant()
  env = {
    MALIPO_URL: host.url,
    MALIPO_KEY: secretKey,
    MALIPO_RELAY: relay.url,
    MALIPO_WEBHOOK: JSON.stringify(webhookOf('cs_ke_0123456789abcdef01234567')),
    MALIPO_WEBHOOK_SECRET: webhookSecret,
  }
  const { stdout } = await promisify(execFile)(
    php,
    ['-n', join(tests, 'run.php'), join(dir, 'sdk-php')],
    { cwd: dir, env, timeout: 150_000 },
  )
  const lines = stdout.trim().split('\n')
  const results = lines.map((line) => JSON.parse(line) as { name: string; outcome: string })
  outcomes = Object.fromEntries(results.map(({ name, outcome }) => [name, outcome]))
})
afterAll(async () => {
  await payers.stop()
  relay.close()
  await host.stop()
  rmSync(dir, { recursive: true })
})

test.each(names)('%s', (name) => {
  expect(outcomes[name]).toBe('ok')
})

function run(
  program: string,
  args: readonly string[],
  use: (printed: () => string) => Promise<void>,
) {
  writeFileSync(join(dir, 'shop.php'), program)
  return running({ command: php, args: ['-n', ...args, 'shop.php'], cwd: dir, env }, use)
}

test('the first program of the README is a paid checkout', () =>
  run(first, [], async (printed) => {
    expect(await payFirst(printed, host)).toMatch(/^order-\w+$/)
  }))

test('the shop of the README delivers once by webhook, and only what is paid', () =>
  run(shop, ['-S', '127.0.0.1:0'], async (printed) => {
    const url = await lineOf(printed, /\((http:\/\/127\.0\.0\.1:\d+)\) started/)
    await buyFromShop(url, printed, host)
  }))
