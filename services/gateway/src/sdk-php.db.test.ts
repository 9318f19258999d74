import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@malipo/testing/eventually'
import { providePhp } from '@malipo/testing/php'
import { signed } from '@malipo/testing/webhook-receiver'
import { playPayers } from './docs-payers.harness'
import { openRelay, type Relay } from './sdk-relay.harness'
import { anyPhone, type RunningHost, startHost } from './start.harness'

const sources = join(__dirname, '../../../packages/sdk-php')
const tests = join(sources, 'tests')
const names = readdirSync(tests).flatMap((file) =>
  Array.from(
    readFileSync(join(tests, file), 'utf8').matchAll(/^function (test_\w+)/gm),
    ([, name = '']) => name,
  ),
)
const [first = '', shop = ''] = Array.from(
  readFileSync(join(sources, 'README.md'), 'utf8').matchAll(/^```php\n(.*?)^```$/gms),
  ([, program]) => program,
)
const webhookSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

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
  const told = lines.map((line) => JSON.parse(line) as { name: string; outcome: string })
  outcomes = Object.fromEntries(told.map(({ name, outcome }) => [name, outcome]))
})
afterAll(async () => {
  await payers.stop()
  relay.close()
  await host.stop()
  rmSync(dir, { recursive: true })
})

/** A request that the public library of Standard Webhooks signed. */
function webhookOf(checkoutId: string) {
  const timestamp = '2026-11-22T09:00:00.000Z'
  const body = JSON.stringify({ type: 'checkout.completed', timestamp, data: { id: checkoutId } })
  return { secret: webhookSecret, ...signed(webhookSecret, body) }
}

test.each(names)('%s', (name) => {
  expect(outcomes[name]).toBe('ok')
})

/** A program of the README, with its lines as they come. */
async function running(
  program: string,
  args: readonly string[],
  use: (lines: () => string, child: ChildProcess) => Promise<void>,
) {
  writeFileSync(join(dir, 'shop.php'), program)
  const child = spawn(php, ['-n', ...args, 'shop.php'], { cwd: dir, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'close')
  await use(() => output, child).finally(() => child.kill())
  await ended
}

const found = (lines: () => string, pattern: RegExp) =>
  eventually(`a line fits ${String(pattern)}`, () => pattern.exec(lines())?.[1])

const pay = (checkoutId: string) => host.startPayment(checkoutId, anyPhone())

test('the first program of the README is a paid checkout', () =>
  running(first, [], async (lines) => {
    await pay(await found(lines, /^Pay at \S+\/c\/(cs_ke_\w+)/m))
    expect(await found(lines, /^Deliver (.*)$/m)).toBe('order-1042')
  }))

test('the shop of the README delivers once by webhook, and only what is paid', () =>
  running(shop, ['-S', '127.0.0.1:0'], async (lines) => {
    const url = await found(lines, /\((http:\/\/127\.0\.0\.1:\d+)\) started/)
    const bought = await fetch(`${url}/buy`, { method: 'POST', redirect: 'manual' })
    const checkoutId = (bought.headers.get('location') ?? '').split('/').at(-1) ?? ''
    const send = async (secret = webhookSecret) => {
      const { body } = webhookOf(checkoutId)
      const headers = new Headers(signed(secret, body).headers as Record<string, string>)
      return (await fetch(`${url}/webhooks`, { method: 'POST', body, headers })).status
    }
    const early = await send()
    expect(lines()).not.toContain('Deliver')
    await pay(checkoutId)
    await eventually('it is paid', async () => {
      const answer = await fetch(`${url}/thanks?checkout=${checkoutId}`)
      return (await answer.text()) === 'Thank you!'
    })
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
    expect([bought.status, early, await send(other), await send(), await send()]).toEqual([
      303, 204, 400, 204, 204,
    ])
    expect(lines().match(/Deliver the order of \w+/g)).toEqual([
      `Deliver the order of ${checkoutId}`,
    ])
  }))
