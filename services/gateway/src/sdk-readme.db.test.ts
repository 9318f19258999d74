import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { playPayers } from './docs-payers.harness'
import {
  buyFromShop,
  lineOf,
  payFirst,
  programsOf,
  running,
  webhookSecret,
} from './readme-programs.harness'
import { type RunningHost, startHost } from './start.harness'

const sources = join(__dirname, '../../../packages/sdk')
const [first, shop] = programsOf(join(sources, 'README.md'), 'js')

const dir = mkdtempSync(join(tmpdir(), 'malipo-sdk-readme-'))
let host: RunningHost
let payers: { stop(): Promise<void> }
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  mkdirSync(join(dir, 'node_modules/@malipo'), { recursive: true })
  symlinkSync(sources, join(dir, 'node_modules/@malipo/sdk'))
  const express = realpathSync(join(__dirname, '../node_modules/express'))
  symlinkSync(express, join(dir, 'node_modules/express'))
  host = await startHost()
  payers = playPayers(host)
  const { secretKey } = await host.merchant()
  env = {
    MALIPO_URL: host.url,
    MALIPO_KEY: secretKey,
    MALIPO_WEBHOOK_SECRET: webhookSecret,
    PORT: '0',
  }
})
afterAll(async () => {
  await payers.stop()
  await host.stop()
  rmSync(dir, { recursive: true })
})

function run(program: string, use: (printed: () => string) => Promise<void>) {
  writeFileSync(join(dir, 'shop.mjs'), program)
  return running({ command: process.execPath, args: ['shop.mjs'], cwd: dir, env }, use)
}

test('the first program of the README is a paid checkout', () =>
  run(first, async (printed) => {
    expect(await payFirst(printed, host)).toBe('order-1042')
  }))

test('the shop of the README delivers once by webhook, and only what is paid', () =>
  run(shop, async (printed) => {
    await buyFromShop(await lineOf(printed, /^Open (http:\S+)$/m), printed, host)
  }))
