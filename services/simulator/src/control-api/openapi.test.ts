import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clientGeneratorsDir } from '@malipo/testing/client-generators'
import { startSimulator, type RunningSimulator } from '../start.harness'
import { controlRoutes } from './control-routes'
import { examples } from './examples'
import { openApiDocument } from './openapi'

let sim: RunningSimulator
let dir: string
beforeAll(async () => {
  sim = await startSimulator()
  dir = mkdtempSync(join(tmpdir(), 'malipo-sim-client-'))
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}')
  symlinkSync(clientGeneratorsDir, join(dir, 'node_modules'))
  const { body } = await sim.control('GET', '/openapi.json')
  writeFileSync(join(dir, 'openapi.json'), JSON.stringify(body))
})
afterAll(async () => {
  rmSync(dir, { recursive: true })
  await sim.stop()
})

const run = async (command: string, ...args: readonly string[]) =>
  (await promisify(execFile)(command, args, { cwd: dir })).stdout

test('two validators accept the document', async () => {
  const script = join(__dirname, '../../bin/validate-openapi.mjs')
  expect(await run(process.execPath, script, join(dir, 'openapi.json'))).toBe(
    'seriousme: valid\nreadme: valid\n',
  )
})

test('every operation has its own name, and every body has an example that the operation accepts', () => {
  expect(new Set(controlRoutes.map(({ operationId }) => operationId)).size).toBe(
    controlRoutes.length,
  )
  for (const { operationId, shapes } of controlRoutes) {
    expect([operationId, examples[operationId] !== undefined]).toEqual([
      operationId,
      shapes.body !== undefined,
    ])
    expect(shapes.body?.safeParse(examples[operationId]).error).toBeUndefined()
  }
})

test('every reference leads to a schema', () => {
  const document = openApiDocument(controlRoutes) as { components: { schemas: object } }
  const references = [
    ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g),
  ]
  expect(references.length).toBeGreaterThan(0)
  for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name)
  expect(JSON.stringify(document)).not.toContain('$defs')
})

test('a generated client compiles, and drives a phone', async () => {
  const program = `
import createClient from 'openapi-fetch'
import type { paths } from './paths.js'
declare const process: { readonly argv: readonly string[] }
const api = createClient<paths>({ baseUrl: process.argv[2] ?? '' })
const added = await api.POST('/sim/v1/phones', { body: { msisdn: '254711000009', balance: '500' } })
if (added.data === undefined) throw new Error(added.error.message)
const read = await api.GET('/sim/v1/phones/{msisdn}', { params: { path: { msisdn: added.data.msisdn } } })
type IsAny<Type> = 0 extends 1 & Type ? true : false
const loose: IsAny<typeof read.data> = false
const balance: string | undefined = read.data?.balance
const refused = await api.POST('/sim/v1/phones/{msisdn}/prompt', {
  params: { path: { msisdn: '254711000009' } },
  body: { action: 'approve' },
})
console.log(JSON.stringify({ balance, loose, refused: refused.error?.error }))
`
  writeFileSync(join(dir, 'program.ts'), program)
  await run(join(clientGeneratorsDir, '.bin/openapi-typescript'), 'openapi.json', '-o', 'paths.ts')
  const tsc = join(__dirname, '../../../../node_modules/typescript/bin/tsc')
  const strict = [
    ...['--strict', '--target', 'es2023', '--module', 'nodenext'],
    ...['--lib', 'es2023,dom', '--outDir', 'out', '--rootDir', '.'],
  ]
  await run(process.execPath, tsc, ...strict, 'program.ts')
  const output = await run(process.execPath, join(dir, 'out/program.js'), sim.url)
  expect(JSON.parse(output)).toEqual({ balance: '500', loose: false, refused: 'no_prompt' })
})
