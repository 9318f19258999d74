import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clientGeneratorsDir } from '@malipo/testing/client-generators'
import { type RunningHost, startHost } from '../start.harness'

const dir = mkdtempSync(join(tmpdir(), 'malipo-generated-'))

beforeAll(() => {
  symlinkSync(clientGeneratorsDir, join(dir, 'node_modules'))
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}')
})
afterAll(() => {
  rmSync(dir, { recursive: true })
})

const settings = `
declare const process: { readonly argv: readonly string[] }
const [baseUrl = '', key = ''] = process.argv.slice(2)
const headers = { Authorization: 'Bearer ' + key }
`
/** Compiles only where the types of the client say what the interface says: nothing in it is `any`. */
const shown = `
type IsAny<Type> = 0 extends 1 & Type ? true : false
const loose: [IsAny<typeof made>, IsAny<typeof refused>] = [false, false]
const status: 'open' | 'completed' | 'expired' = made.status
const payment: string | undefined = made.payment?.intent_id
console.log(JSON.stringify({ id: made.id, status, loose, payment, refused }))
`

/** A generator of clients, and a program that uses what it made of the document. */
const tools = [
  {
    name: 'openapi-typescript',
    args: ['openapi.json', '-o', 'made/paths.ts'],
    program: `
import createClient from 'openapi-fetch'
import type { paths } from './made/paths.js'
${settings}
const api = createClient<paths>({ baseUrl, headers })
const checkouts = '/v1/payments/merchant/checkouts'
const created = await api.POST(checkouts, { body: { amount: 150_000 } })
if (created.data === undefined) throw new Error(created.error.description)
const read = await api.GET('/v1/payments/merchant/checkouts/{id}', {
  params: { path: { id: created.data.data.id } },
})
if (read.data === undefined) throw new Error(read.error.description)
const made = read.data.data
const { error } = await api.POST(checkouts, { body: { amount: 1 } })
const refused = error?.code
`,
  },
  {
    name: 'openapi-ts',
    args: ['-i', 'openapi.json', '-o', 'made/hey', '--silent'],
    program: `
import { client } from './made/hey/client.gen.js'
import { createCheckout, retrieveCheckout } from './made/hey/sdk.gen.js'
${settings}
client.setConfig({ baseUrl, headers })
const created = await createCheckout({ body: { amount: 150_000 }, throwOnError: true })
const read = await retrieveCheckout({ path: { id: created.data.data.id }, throwOnError: true })
const made = read.data.data
const { error } = await createCheckout({ body: { amount: 1 } })
const refused = error?.code
`,
  },
  {
    name: 'oazapfts',
    args: ['openapi.json', 'made/oazapfts.ts'],
    program: `
import { createCheckout, defaults, retrieveCheckout } from './made/oazapfts.js'
${settings}
Object.assign(defaults, { baseUrl, headers })
const created = await createCheckout({ amount: 150_000 })
if (created.status !== 201) throw new Error(created.data.description)
const read = await retrieveCheckout(created.data.data.id)
if (read.status !== 200) throw new Error(read.data.description)
const made = read.data.data
const answer = await createCheckout({ amount: 1 })
const refused = answer.status === 422 ? answer.data.code : undefined
`,
  },
]

const run = async (command: string, ...args: readonly string[]) =>
  (await promisify(execFile)(command, args, { cwd: dir })).stdout

describe.each(['ke', 'ug'] as const)('of the document of %s', (country) => {
  let host: RunningHost
  beforeAll(async () => {
    host = await startHost({ country })
    const document = await fetch(`${host.url}/docs/openapi.json`)
    writeFileSync(join(dir, 'openapi.json'), await document.text())
  })
  afterAll(() => host.stop())

  test.each(tools)(
    '$name makes a client that compiles, and that creates and reads a checkout',
    async ({ name, args, program }) => {
      const tsc = join(__dirname, '../../../../node_modules/typescript/bin/tsc')
      mkdirSync(join(dir, 'made'), { recursive: true })
      await run(join(clientGeneratorsDir, '.bin', name), ...args)
      writeFileSync(join(dir, `${name}.ts`), `${program}${shown}`)
      const strict = [
        ...['--strict', '--target', 'es2023', '--module', 'nodenext'],
        ...['--lib', 'es2023,dom', '--outDir', 'out', '--rootDir', '.'],
      ]
      await run(process.execPath, tsc, ...strict, `${name}.ts`)
      const { secretKey } = await host.merchant()
      const compiled = join(dir, 'out', `${name}.js`)
      const output = await run(process.execPath, compiled, host.url, secretKey)
      expect(JSON.parse(output)).toEqual({
        id: expect.stringMatching(`^cs_${country}_`) as string,
        status: 'open',
        loose: [false, false],
        refused: 2702,
      })
    },
  )
})
