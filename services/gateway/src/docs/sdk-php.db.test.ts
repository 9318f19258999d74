import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@malipo/testing/eventually'
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
import type { Merchant } from '../merchants.harness'
import { anyPhone, type RunningHost, startHost } from '../start.harness'

const sources = join(__dirname, '../../../../packages/sdk-php')
const template = join(sources, '../create-malipo-app/templates/php')
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
let merchant: Merchant
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
  merchant = await host.merchant()
  env = {
    MALIPO_URL: host.url,
    MALIPO_KEY: merchant.secretKey,
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
    await buyFromShop({ url: await addressOf(printed), printed, host, merchant })
  }))

// PHP listens on the first address of a name only, and webhooks for localhost go to 127.0.0.1.
test.each([
  ['SDK', sources],
  ['template', template],
])('the README of the %s starts the shop where a webhook for localhost reaches it', (_, folder) => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const [, address = ''] = /php -S (\S+):3000 shop\.php/.exec(readme) ?? []
  expect(address).toBe('127.0.0.1')
})

const addressOf = (printed: () => string) =>
  lineOf(printed, /\((http:\/\/127\.0\.0\.1:\d+)\) started/)

/** The arguments of a server whose program can use no file of its folder but these. */
function confinedTo(...files: readonly string[]): readonly string[] {
  const allowed = ['shop.php', 'sdk-php', ...files].map((name) => join(dir, name))
  return ['-d', `open_basedir=${allowed.join(delimiter)}`, '-S', '127.0.0.1:0']
}

test('the shop of the README sends no one to pay for an order that it cannot write', () =>
  run(shop, confinedTo(), async (printed) => {
    const to = `${await addressOf(printed)}/buy`
    const bought = await fetch(to, { method: 'POST', redirect: 'manual' })
    expect([bought.status, bought.headers.get('location')]).toEqual([500, null])
  }))

test('the shop of the README answers 500 to the event of a paid order that it cannot mark as delivered', async () => {
  const { id } = await host.checkout(merchant, { amount: 150_000, reference: 'unmarked' })
  writeFileSync(join(dir, 'order-unmarked'), '')
  await host.startPayment(id, anyPhone())
  await eventually('it is paid', async () => {
    const authorization = `Bearer ${merchant.secretKey}`
    const read = `${host.url}/v1/payments/merchant/checkouts/${id}`
    const answer = await fetch(read, { headers: { authorization, prefer: 'wait=10' } })
    return (await answer.text()).includes('"status":"completed"')
  })
  await run(shop, confinedTo('order-unmarked'), async (printed) => {
    const url = await addressOf(printed)
    const { body, headers } = webhookOf(id)
    const sent = { 'content-type': 'application/json', ...(headers as Record<string, string>) }
    const answer = await fetch(`${url}/webhooks`, { method: 'POST', body, headers: sent })
    expect(answer.status).toBe(500)
    expect(printed()).toContain('it cannot be renamed')
  })
})

interface Manifest {
  readonly name: string
  readonly version: string
  readonly require: Readonly<Record<string, string>>
}

test('the template of a shop asks Composer for the folder beside it, by the name and version of the SDK', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Manifest
  const { name, version } = read(join(sources, 'composer.json'))
  expect([name, version]).toEqual(['malipo-checkout/malipo-checkout', '0.1.0'])
  expect(read(join(template, 'composer.json'))).toMatchObject({
    repositories: [{ type: 'path', url: 'sdk-php' }],
    require: { [name]: '^0.1' },
  })
})
