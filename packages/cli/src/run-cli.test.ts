import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { commands } from './commands'
import { configFile } from './read-settings'
import { run, someKey, withServer } from './run-cli.harness'

const homes: string[] = []

afterAll(() => {
  for (const dir of homes) rmSync(dir, { recursive: true })
})

const env = { MALIPO_KEY: someKey, MALIPO_URL: 'https://payments.example' }

test.each([
  ['nothing', '', 'Usage: malipo COMMAND'],
  ['--help', '--help', 'checkouts create --amount MINOR'],
  ['the help of a group', 'checkouts --help', 'checkouts wait ID'],
  ['--version', '--version', '0.1.0'],
])('%s prints its text and exits with 0', async (_, words, text) => {
  const ran = await run(words)
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  expect(ran.stdout).toContain(text)
})

test.each(commands.map(({ words }) => words.join(' ')))(
  'malipo %s --help shows usage and options, and needs no settings',
  async (words) => {
    const ran = await run(`${words} --help`)
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ran.stdout).toContain(`Usage: malipo ${words}`)
    expect(ran.stdout).toContain('--json')
  },
)

test.each([
  ['an unknown command', 'checkout create', /There is no command "checkout create"/],
  ['a group without its command', 'checkouts', /checkouts create, checkouts get/],
  [
    'an unknown option',
    'doctor --webhok x',
    /Unknown option "--webhok". See: malipo doctor --help/,
  ],
  ['a missing option', 'checkouts create', /--amount MINOR is missing/],
  ['an option without its value', 'checkouts create --amount', /argument missing/],
  ['a missing argument', 'checkouts get', /ID must be given/],
  ['one argument too many', 'doctor now', /"now" is one argument too many/],
  ['an unknown page', 'open window', /PAGE must be docs or hub or phones/],
  [
    'an amount with cents',
    'checkouts create --amount 1500.00',
    /whole minor units: 150000 is 1,500.00/,
  ],
  [
    'an idempotency key that no header can carry',
    'checkouts create --amount 1 --idempotency-key order-☕',
    /--idempotency-key must be 1 to 128 visible ASCII characters, without spaces/,
  ],
  [
    'an empty idempotency key',
    'checkouts create --amount 1 --idempotency-key=',
    /--idempotency-key must be 1 to 128 visible ASCII characters/,
  ],
  ['an endless wait', 'checkouts wait cs_ke_1 --timeout 0', /whole seconds from 1 to 86400/],
])('%s is refused with advice, and exits with 2', async (_, words, sentence) => {
  const ran = await run(words, { env })
  expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
  expect(ran.stderr).toMatch(sentence)
})

test('an idempotency key with a space is refused with advice, and exits with 2', async () => {
  const argv = ['checkouts', 'create', '--amount', '1', '--idempotency-key', 'order 1']
  const ran = await run('', { argv, env })
  expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
  expect(ran.stderr).toMatch(/must be 1 to 128 visible ASCII characters, without spaces/)
})

test.each([
  ['no key', { MALIPO_KEY: '' }, /MALIPO_KEY is not set/],
  [
    'a key that is not a Malipo secret key',
    { MALIPO_KEY: 'sk_live_1' },
    /MALIPO_KEY is not a secret key/,
  ],
  ['no address', { MALIPO_URL: '' }, /MALIPO_URL is not set/],
  ['an address without its scheme', { MALIPO_URL: 'payments.example' }, /MALIPO_URL must be a URL/],
  ['http to another machine', { MALIPO_URL: 'http://payments.example' }, /must begin with https/],
])('%s is refused before anything is sent', async (_, changes, sentence) => {
  const ran = await run('checkouts get cs_ke_1', { env: { ...env, ...changes } })
  expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
  expect(ran.stderr).toMatch(sentence)
})

test('a key among the arguments is refused and not repeated', async () => {
  const ran = await run(`checkouts get ${someKey}`, { env })
  expect(ran.exitCode).toBe(2)
  expect(ran.stderr).toContain('A secret was given as an argument')
  expect(ran.stdout + ran.stderr).not.toContain(someKey)
})

function homeWith(text: string, mode = 0o600): string {
  const homeDir = mkdtempSync(join(tmpdir(), 'malipo-cli-'))
  homes.push(homeDir)
  const file = configFile({ env: {}, homeDir })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode })
  return homeDir
}

test('reads from the settings file what the environment does not set', async () => {
  const kept = { MALIPO_URL: 'https://kept.example', MALIPO_KEY: someKey }
  const homeDir = homeWith(JSON.stringify(kept))
  expect((await run('open docs', { homeDir })).stdout).toBe('{"url":"https://kept.example/docs"}\n')
  const changed = await run('open docs', { homeDir, env })
  expect(changed.stdout).toBe('{"url":"https://payments.example/docs"}\n')
})

test.each([
  ['that other users can read', '{}', 0o644, /chmod 600/],
  ['that is no JSON', `{ key: ${someKey} }`, 0o600, /must be a JSON object/],
  ['with an unknown name', '{"MALIPO_KYE": "x"}', 0o600, /must be a JSON object/],
])('refuses a settings file %s', async (_, text, mode, sentence) => {
  const ran = await run('open docs', { homeDir: homeWith(text, mode) })
  expect(ran.exitCode).toBe(2)
  expect(ran.stderr).toMatch(sentence)
  expect(ran.stderr).not.toContain(someKey)
})

test('prints text on a terminal, and JSON there too when asked', async () => {
  const terminal = { env, isTerminal: true } as const
  expect((await run('open docs', terminal)).stdout).toBe('https://payments.example/docs\n')
  expect((await run('open docs --json', terminal)).stdout).toBe(
    '{"url":"https://payments.example/docs"}\n',
  )
})

test('prints colours on a terminal only, and none with NO_COLOR', async () => {
  const colour = '\u001B['
  const colours = async (changes: Parameters<typeof run>[1]) =>
    (await run('doctor', changes)).stdout.includes(colour)
  expect(await colours({ isTerminal: true })).toBe(true)
  expect(await colours({ isTerminal: true, env: { NO_COLOR: '1' } })).toBe(false)
  expect(await colours({})).toBe(false)
})

test('reports that the host did not answer, suggests malipo doctor, and exits with 3', async () => {
  const nowhere = { ...env, MALIPO_URL: 'http://127.0.0.1:9' }
  const ran = await run('open hub', { env: nowhere })
  expect(ran).toMatchObject({ exitCode: 3, stdout: '' })
  expect(ran.stderr).toContain('did not answer')
  expect(ran.stderr).toContain('malipo doctor')
})

test('exits with 130 when Ctrl-C stops it', async () => {
  const ran = await run('checkouts get cs_ke_1', { env, signal: AbortSignal.abort() })
  expect(ran).toEqual({ exitCode: 130, stdout: '', stderr: 'malipo: stopped\n' })
})

test('reports an answer that redirects as such, and exits with 3', async () => {
  await withServer(
    (_, response) => response.writeHead(308, { location: 'https://other.example/' }).end(),
    async (url) => {
      const ran = await run('checkouts get cs_ke_1', { env: { ...env, MALIPO_URL: url } })
      expect(ran).toMatchObject({ exitCode: 3, stdout: '' })
      expect(ran.stderr).toContain('This is no answer of Malipo: 308')
      expect(ran.stderr).not.toContain('network')
    },
  )
})

test.each([
  ['completed', 'completed', 0],
  ['completed', 'reversed', 6],
  ['expired', 'reversed', 5],
])(
  'a wait for a checkout that is %s and whose payment is %s exits with %s',
  async (checkoutStatus, status, exitCode) => {
    const payment = { intent_id: 'pi_1', status, amount_settled: '150000', provider_receipt: 'R1' }
    const data = {
      ...{ id: 'cs_ke_1', url: 'https://pay.example/c/cs_ke_1', status: checkoutStatus },
      ...{
        amount: '150000',
        currency: 'KES',
        reference: null,
        description: null,
        return_url: null,
      },
      ...{ expires_at: '2026-11-20T12:30:00Z', created_at: '2026-11-20T12:00:00Z' },
      payment: { ...payment, phone: '254712345678' },
    }
    await withServer(
      (_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ ok: true, code: 0, description: 'Checkout', data })),
      async (url) => {
        const ran = await run('checkouts wait cs_ke_1', { env: { ...env, MALIPO_URL: url } })
        expect(ran.exitCode).toBe(exitCode)
      },
    )
  },
)

test('ends a wait with an error at its timeout when the host asks for a longer pause', async () => {
  const body = { ok: false, code: 1804, description: 'Too many requests', request_id: 'req_1' }
  let requests = 0
  await withServer(
    (_, response) => {
      requests += 1
      response.writeHead(429, { 'retry-after': '60' }).end(JSON.stringify(body))
    },
    async (url) => {
      const words = 'checkouts wait cs_ke_1 --timeout 1'
      const ran = await run(words, { env: { ...env, MALIPO_URL: url } })
      expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
      expect(ran.stderr).toContain('Too many requests (code 1804)')
    },
  )
  expect(requests).toBe(1)
})
