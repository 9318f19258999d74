import { execFile } from 'node:child_process'
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { playPayers } from './docs-payers.harness'
import {
  buyFromShop,
  lineOf,
  payFirst,
  programsOf,
  running,
  webhookSecret,
} from './readme-programs.harness'
import type { Merchant } from '../merchants.harness'
import { type RunningHost, startHost } from '../start.harness'

const packages = join(__dirname, '../../../../packages')
const templates = join(packages, 'create-malipo-app/templates')

const dir = mkdtempSync(join(tmpdir(), 'malipo-first-shop-'))
let host: RunningHost
let merchant: Merchant
let payers: { stop(): Promise<void> }
let env: NodeJS.ProcessEnv

const execute = async (command: string, args: readonly string[], cwd = dir) =>
  promisify(execFile)(command, args, { cwd })

beforeAll(async () => {
  const to = ['pack', '--silent', '--pack-destination', dir]
  await execute('npm', [...to, join(packages, 'create-malipo-app')])
  await execute('tar', ['-xzf', 'create-malipo-app-0.1.0.tgz'])
  // The packages that the templates import are linked from where they are installed already.
  mkdirSync(join(dir, 'node_modules/@malipo'), { recursive: true })
  symlinkSync(join(packages, 'sdk'), join(dir, 'node_modules/@malipo/sdk'))
  const express = realpathSync(join(__dirname, '../../node_modules/express'))
  symlinkSync(express, join(dir, 'node_modules/express'))
  host = await startHost()
  payers = playPayers(host)
  merchant = await host.merchant()
  env = {
    MALIPO_URL: host.url,
    MALIPO_KEY: merchant.secretKey,
    MALIPO_WEBHOOK_SECRET: webhookSecret,
    PORT: '0',
  }
})
afterAll(async () => {
  await payers.stop()
  await host.stop()
  rmSync(dir, { recursive: true })
})

const urlOf = (printed: () => string) => lineOf(printed, /^Open (http:\S+)$/m)

const run = (file: string, cwd: string, use: (printed: () => string) => Promise<void>) =>
  running({ command: process.execPath, args: [file], cwd, env }, use)

/** Runs the packed `npm create malipo-app`. */
const create = (...args: readonly string[]) =>
  execute(process.execPath, [join(dir, 'package/bin/create-malipo-app.mjs'), ...args])

test("the first program of the SDK's README is a paid checkout", async () => {
  const [first] = programsOf(join(packages, 'sdk/README.md'), 'js')
  writeFileSync(join(dir, 'first.mjs'), first)
  await run('first.mjs', dir, async (printed) => {
    expect(await payFirst(printed, host)).toMatch(/^order-\d+$/)
  })
})

test('npm create malipo-app writes a shop of Express that delivers once, and only what is paid', async () => {
  const { stdout } = await create()
  expect(stdout).toContain('cd malipo-shop\n  npm install\n')
  expect(readFileSync(join(dir, 'malipo-shop/.gitignore'), 'utf8')).toContain('node_modules/')
  await run('shop.mjs', join(dir, 'malipo-shop'), async (printed) => {
    await buyFromShop({ url: await urlOf(printed), printed, host, merchant })
  })
})

test('npm create malipo-app writes route handlers of Next.js that deliver once, and only what is paid', async () => {
  await create('next-shop', '--template', 'nextjs')
  const shop = join(dir, 'next-shop')
  // Next compiles the modules of a package without a `type`, but `host.mjs` runs them as they are.
  const manifest = JSON.parse(readFileSync(join(shop, 'package.json'), 'utf8')) as object
  writeFileSync(join(shop, 'package.json'), JSON.stringify({ ...manifest, type: 'module' }))
  copyFileSync(join(packages, 'testing/bin/nextjs-host.mjs'), join(shop, 'host.mjs'))
  await run('host.mjs', shop, async (printed) => {
    await buyFromShop({ url: await urlOf(printed), printed, host, merchant })
  })
})

test.each([
  ['sdk', 'js', 'express/shop.mjs'],
  ['sdk-python', 'python', 'flask/shop.py'],
  ['sdk-php', 'php', 'php/shop.php'],
])(
  'the shop in the README of %s is the one of npm create malipo-app',
  (name, language, template) => {
    const [, shop] = programsOf(join(packages, name, 'README.md'), language)
    expect(readFileSync(join(templates, template), 'utf8')).toBe(shop)
  },
)

test('the README of the shop of PHP names the file that the shop requires', () => {
  const [readme, shop] = ['README.md', 'shop.php'].map((file) =>
    readFileSync(join(templates, 'php', file), 'utf8'),
  )
  const [, required] = /`shop\.php` requires `(.+?)`/.exec(readme ?? '') ?? []
  expect(shop).toContain(`require __DIR__ . '/${String(required)}';`)
})

test('in the repository, npm create malipo-app takes the SDKs from there', async () => {
  const program = join(packages, 'create-malipo-app/bin/create-malipo-app.mjs')
  await execute(process.execPath, [program, 'from-repository'])
  const manifest = readFileSync(join(dir, 'from-repository/package.json'), 'utf8')
  expect(manifest).toContain(`"@malipo/sdk": "file:${join(packages, 'sdk')}"`)
  await execute(process.execPath, [program, 'in-flask', '--template', 'flask'])
  const needs = readFileSync(join(dir, 'in-flask/requirements.txt'), 'utf8')
  expect(needs).toBe(`flask\n${join(packages, 'sdk-python')}\n`)
  await execute(process.execPath, [program, 'in-php', '--template', 'php'])
  const php = JSON.parse(readFileSync(join(dir, 'in-php/composer.json'), 'utf8')) as Composer
  const sdk = JSON.parse(readFileSync(join(packages, 'sdk-php/composer.json'), 'utf8')) as Composer
  expect(php.repositories).toEqual([{ type: 'path', url: join(packages, 'sdk-php') }])
  expect(Object.keys(php.require ?? {})).toEqual([sdk.name])
})

test('npm copies the SDK of the repository into a new shop, because Next.js resolves no symlink that leaves its root', async () => {
  const program = join(packages, 'create-malipo-app/bin/create-malipo-app.mjs')
  await execute(process.execPath, [program, 'copies', '--template', 'nextjs'])
  const shop = join(dir, 'copies')
  const file = join(shop, 'package.json')
  const { dependencies, ...manifest } = JSON.parse(readFileSync(file, 'utf8')) as Needs
  // The other dependencies are left out, because npm would fetch them from a registry.
  const own = { '@malipo/sdk': dependencies['@malipo/sdk'] }
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies: own }))
  await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent'], shop)
  const installed = join(shop, 'node_modules/@malipo/sdk')
  expect(lstatSync(installed).isSymbolicLink()).toBe(false)
  expect(readdirSync(join(installed, 'dist'))).toContain('sdk.js')
})

interface Needs {
  readonly dependencies: Readonly<Record<string, string>>
}

interface Composer {
  readonly name: string
  readonly require?: Readonly<Record<string, string>>
  readonly repositories?: unknown
}

test('outside of the repository, the shop of Flask asks PyPI for nothing but Flask', async () => {
  await create('flask-shop', '--template', 'flask')
  const needs = readFileSync(join(dir, 'flask-shop/requirements.txt'), 'utf8').split('\n')
  // A file or a path has a slash or is a wheel; anything else is a name that pip looks up.
  const names = needs.filter((line) => /^[a-z]/i.test(line) && !/\/|\.whl$/.test(line))
  expect(names).toEqual(['flask'])
})

test('npm create malipo-app overwrites nothing, and says which templates there are', async () => {
  mkdirSync(join(dir, 'mine'))
  writeFileSync(join(dir, 'mine/shop.mjs'), 'mine')
  const refused = async (...args: readonly string[]) =>
    create(...args).catch((error: unknown) => error as { code: number; stderr: string })
  expect(await refused('mine')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not empty') as string,
  })
  expect(readdirSync(join(dir, 'mine'))).toEqual(['shop.mjs'])
  const names = 'express, flask, nextjs, php'
  expect(await refused('new', '--template', '../..')).toMatchObject({
    code: 2,
    stderr: `--template is one of ${names}\n`,
  })
  expect(await refused('--nope')).toMatchObject({ code: 2 })
  expect(await refused('new', 'nextjs')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('my-shop -- --template nextjs') as string,
  })
  expect((await create('--help')).stdout).toContain(names)
})
