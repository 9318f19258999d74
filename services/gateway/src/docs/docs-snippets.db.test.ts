import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDocs } from '@malipo/docs/docs'
import { type Language, type Snippet, snippetsOf } from '@malipo/docs/snippets.harness'
import { countries } from '@malipo/kernel/countries'
import { eventually } from '@malipo/testing/eventually'
import { providePhp } from '@malipo/testing/php'
import { playPayers } from './docs-payers.harness'
import type { Merchant } from '../merchants.harness'
import { anyPhone, type RunningHost, startHost } from '../start.harness'

const { pages } = openDocs({
  rules: countries.ke,
  baseUrl: 'https://pay.example',
  authUrl: 'https://auth.example',
})
const languages = ['bash', 'js', 'python', 'php'] as const satisfies readonly Language[]
const runs = pages.flatMap((page) =>
  languages.flatMap((language) => {
    const snippets = snippetsOf(page).filter((snippet) => snippet.language === language)
    return snippets.length > 0 ? [[page.slug, language, snippets] as const] : []
  }),
)

let host: RunningHost
let php: string
let payers: { stop(): Promise<void> }
const sdkPython = join(__dirname, '../../../../packages/sdk-python')
const merchants = new Map<Language, Merchant>()
const dir = mkdtempSync(join(tmpdir(), 'malipo-docs-'))

beforeAll(async () => {
  php = await providePhp((line) => process.stderr.write(`${line}\n`))
  host = await startHost()
  payers = playPayers(host)
  for (const language of languages)
    merchants.set(language, await host.merchant({ cardEnabled: true }))
  const packages = join(__dirname, '../../../../packages')
  mkdirSync(join(dir, 'node_modules/@malipo'), { recursive: true })
  mkdirSync(join(dir, 'node_modules/.bin'))
  symlinkSync(join(packages, 'sdk'), join(dir, 'node_modules/@malipo/sdk'))
  mkdirSync(join(dir, 'vendor'))
  symlinkSync(join(packages, 'sdk-php/autoload.php'), join(dir, 'vendor/autoload.php'))
  symlinkSync(join(packages, 'cli'), join(dir, 'node_modules/@malipo/cli'))
  symlinkSync('../@malipo/cli/bin/malipo.mjs', join(dir, 'node_modules/.bin/malipo'))
})
afterAll(async () => {
  await payers.stop()
  await host.stop()
  rmSync(dir, { recursive: true })
})

/** The command that runs a file of each language. A missing program fails the test. */
const commandOf: Readonly<
  Record<Language, () => readonly [program: string, ...options: string[]]>
> = {
  bash: () => ['bash', '-eu'],
  js: () => [process.execPath],
  python: () => ['env', `PYTHONPATH=${sdkPython}`, 'python3', '-B'],
  php: () => [php, '-n'],
}

/** Runs a snippet as a reader would: with the variables that the pages name, and a new phone number. */
async function run({ language, code }: Snippet, env: Readonly<Record<string, string>>) {
  const [program, ...options] = commandOf[language]()
  const file = language === 'js' ? 'snippet.mjs' : `snippet.${language}`
  const phone = anyPhone().slice(0, 9)
  writeFileSync(join(dir, file), code.replaceAll(/254700555(?=\d{3})/g, phone))
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const { stdout } = await promisify(execFile)('env', [...variables, program, ...options, file], {
    cwd: dir,
    timeout: 60_000,
  })
  return stdout
}

const contentOf = (text: string) =>
  JSON.parse(text) as { code?: number; data?: Record<string, unknown> }

const input = { amount: 150_000, reference: 'order-1002' }
const variablesOf = ({ secretKey, username }: Merchant) => ({
  MALIPO_URL: host.url,
  MALIPO_AUTH_URL: host.authUrl,
  MALIPO_KEY: secretKey,
  HANDLE: username,
})

test.each(runs.filter(([slug, language]) => slug === 'accept-a-payment' && language !== 'bash'))(
  '%s: the %s snippet delivers an order once, also when two of its checkouts are paid',
  async (_slug, _language, snippets) => {
    const merchant = await host.merchant()
    const made = [await host.checkout(merchant, input), await host.checkout(merchant, input)]
    for (const { id } of made) {
      await host.startPayment(id, anyPhone())
      const paid = `SELECT FROM intents WHERE checkout_id = '${id}' AND status = 'completed'`
      await eventually('it is paid', async () => (await host.rows(paid)).length > 0)
    }
    rmSync(join(dir, 'orders.db'), { force: true })
    const [CHECKOUT_ID = '', OTHER_ID = ''] = made.map(({ id }) => id)
    const env = { ...variablesOf(merchant), CHECKOUT_ID, OTHER_ID }
    const [snippet] = snippets.filter(({ words }) => words.includes('paid'))
    if (snippet === undefined) throw new Error('No snippet is paid')
    // The snippet settles one checkout twice; here the last mention of it becomes the other checkout of the order.
    const code = snippet.code.replace(/CHECKOUT_ID(?![^]*CHECKOUT_ID)/, 'OTHER_ID')
    expect(await run({ ...snippet, code }, env)).toBe('deliver\n')
  },
)

test.each(runs)(
  '%s: every %s snippet does what the page says',
  async (slug, language, snippets) => {
    const merchant = merchants.get(language)
    if (merchant === undefined) throw new Error('There is no merchant')
    const fresh = async () => (await host.checkout(merchant, input)).id
    const env = { ...variablesOf(merchant), CHECKOUT_ID: await fresh(), INTENT_ID: '' }
    for (const snippet of snippets) {
      // Calls of the reference do not follow from one another, so each uses its own checkout.
      if (slug === 'reference') env.CHECKOUT_ID = await fresh()
      if (env.INTENT_ID === '') env.INTENT_ID = (await host.startPayment(await fresh())).intentId
      const paid = snippet.words.includes('paid') && host.startPayment(env.CHECKOUT_ID)
      // A payment that does not start fails the test at once: the snippet would wait for it until it is killed.
      const [printed] = await Promise.all([run(snippet, env), paid])
      judge(snippet, printed)
      if (language !== 'bash' || printed === '') continue
      const { data } = contentOf(printed)
      if (typeof data?.['url'] === 'string') env.CHECKOUT_ID = String(data['id'])
    }
  },
)

function judge({ language, words, prints }: Snippet, printed: string): void {
  if (language === 'bash' && printed !== '') {
    const refusal = words.find((word) => word.startsWith('refused='))?.slice('refused='.length)
    const { code } = contentOf(printed)
    expect(String(code)).toBe(String(refusal))
  }
  if (prints?.kind === 'text') expect(printed).toBe(prints.text)
  if (prints?.kind === 'json') expect(plain(printed)).toEqual(plain(prints.text))
  if (prints?.kind === 'json example') {
    expect(fieldsOf(JSON.parse(printed), JSON.parse(prints.text))).toEqual([])
  }
}

/** The parts of an output that are the same in each run. */
function plain(json: string): unknown {
  return JSON.parse(
    json
      .replaceAll(/cs_ke_[0-9a-f]{24}/g, 'cs_ke_…')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'),
  ) as unknown
}

/** The fields that only one of two values has; null matches any value. */
function fieldsOf(real: unknown, documented: unknown, at = ''): string[] {
  if (!isObject(real) || !isObject(documented)) {
    const mayBeNull = real === null || documented === null
    return mayBeNull || typeof real === typeof documented
      ? []
      : [`${at}: ${typeof real}, and not ${typeof documented}`]
  }
  return [...new Set([...Object.keys(real), ...Object.keys(documented)])].flatMap((name) => {
    const where = `${at}.${name}`
    if (Array.isArray(real))
      return name in real && name in documented ? fieldsOf(real[name], documented[name], where) : []
    return name in real && name in documented
      ? fieldsOf(real[name], documented[name], where)
      : [where]
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

test('runs every fenced block of every page, or compares it with what a run prints', () => {
  const blocks = pages.flatMap(
    ({ markdown }) => markdown.match(/^```(?:bash|js|python|php)\b/gm) ?? [],
  )
  expect(runs.flatMap(([, , snippets]) => snippets)).toHaveLength(blocks.length)
  expect(() =>
    snippetsOf({ slug: 'x', title: '', summary: '', markdown: '```ruby\nputs 1\n```\n' }),
  ).toThrow('x: a block of "ruby" is not run')
})
