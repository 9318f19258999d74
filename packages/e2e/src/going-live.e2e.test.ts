import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryDir } from '@malipo/stack/migrate'
import { patience } from '@malipo/testing/patience'
import type { Browser } from 'playwright-core'
import { openBrowser } from './browser'
import { enterFixture, type Fixture } from './fixture'
import { openPayerPage } from './payer-page'
import { type RunningStack, startStack } from './running-stack'

// Reads the commands of section 1 of `docs/going-live.md` from the page, and runs them as its reader would.

const page = readFileSync(join(repositoryDir, 'docs/going-live.md'), 'utf8')
const rehearsal = page.slice(page.indexOf('## 1. '), page.indexOf('## 2. '))
const typed = [...rehearsal.matchAll(/^npm .+$/gm)].map(([line]) => line)
const [start = '', ...others] = typed
const wordsAfter = (line: string) => line.split(' -- ')[1]?.split(' ') ?? []

let stack: RunningStack
let fixture: Fixture
let browser: Browser

beforeAll(async () => {
  stack = await startStack(patience, wordsAfter(start))
  fixture = enterFixture(stack, 'ke')
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await fixture.close()
  await stack.stop()
})

/** Runs a command of the page on this test's stack, whose folder takes the place of `.stack`. */
async function type(line: string): Promise<string> {
  const { scripts } = JSON.parse(readFileSync(join(repositoryDir, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const script = /^npm run ([\w-]+)/.exec(line)?.[1] ?? ''
  const [program = '', ...given] = (scripts[script] ?? '').replace('exec node ', '').split(' ')
  const words = wordsAfter(line).map((word) => word.replace(/^\.stack\//, `${stack.dir}/`))
  const args = [join(repositoryDir, program), ...given, ...words, '--dir', stack.dir]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: repositoryDir })
  return stdout
}

test('the page starts the stack with whole shillings, as in production', () => {
  expect(start).toBe('npm start -- --whole-shillings')
  expect(others.length).toBeGreaterThanOrEqual(6)
})

test.each(others)('%s exits with 0 and prints something', async (line) => {
  expect(await type(line)).not.toBe('')
})

test('the first payment: KES 10 from the page by a prompt, read as completed, and in the books', async () => {
  const checkout = await fixture.merchant.createCheckout({ amount: 1_000 })
  const msisdn = await fixture.provider.addPhone('approve', '25479')
  const payer = await openPayerPage(browser)
  await payer.open(checkout.url)
  await payer.pay(msisdn)
  await payer.sees('Paid to')
  expect(await payer.wrongWith()).toEqual([])
  await payer.close()
  const { status, payment } = await fixture.merchant.readCheckout(checkout.id)
  expect([status, payment?.amount_settled]).toEqual(['completed', '1000'])
  const transfers = await fixture.journal.transfers()
  const key = `receipt:mpesa:${payment?.provider_receipt ?? ''}`
  const posted = transfers.filter(({ event_key: event }) => event === key)
  expect(posted.map(({ minor }) => minor)).toEqual(['1000'])
  expect(posted[0]?.credit).toMatch(/^wallet:/)
  expect(await type('npm run audit')).not.toBe('')
})
