import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { makeIdentityFile } from '@malipo/stack/operations/identity'
import { readBook } from '@malipo/stack/operations/simulator-book'
import { eventually } from '@malipo/testing/eventually'
import type { Effect } from '@malipo/testing/simulator-shapes'
import { openBrowser } from './browser'
import { type Fixture, openFixture } from './fixture'
import { type Hub, openHub } from './hub'
import { operate, operatorPassphrase } from './operator'
import { wholeShillings } from './running-stack'
import { askedMinor, order, wholeShillingsTests } from './whole-shillings'

// Plays all ready stories of Kenya at the same time through the whole stack, each on a separate phone. Then compares
// the provider's book with the journal, and checks every invariant: no payment may be affected by the others. The stack
// takes whole shillings only, as production does, and the prices have cents.

/** The provider is asked about an unanswered prompt after a second, and the statement is read every second. */
const hurried = {
  QUERY_AFTER_SECONDS: '1',
  QUERY_EVERY_SECONDS: '1',
  INTENT_DEADLINE_SECONDS: '20',
  PAY_BILL_SECONDS: '1',
}

let fixture: Fixture
let hub: Hub
let browser: Browser

beforeAll(async () => {
  fixture = await openFixture(hurried, [wholeShillings])
  hub = await openHub(fixture.stack.file, 'ke')
  browser = await openBrowser()
})

afterAll(async () => {
  await browser.close()
  await fixture.close()
})

/** Adds the rules of a story for one phone, so that another story does not end them. */
async function begin(pack: string, msisdn: string): Promise<void> {
  for (const rule of await fixture.provider.playPack(pack, { msisdn })) {
    const { on, when, effect, probability, skip, from_ms, times, until_ms } = rule
    const bounds = { ...(times && { times }), ...(until_ms && { until_ms }) }
    const same = { on, when, probability, skip, from_ms, ...bounds }
    // The simulator returns an effect in the same shape in which it accepts one, so the cast is safe.
    await fixture.provider.addRule({ ...same, effect: effect as unknown as Effect })
  }
}

/** Lists the provider's book in lines such as `receipt QK… 50000`. */
async function book(): Promise<string[]> {
  const rows = await fixture.provider.book()
  return rows
    .map(({ kind, receipt, account, amount }) =>
      kind === 'reversal' ? `refunded ${account} ${amount}` : `receipt ${receipt} ${amount}`,
    )
    .sort()
}

/** Lists the journal's transfers of the float of M-PESA, in the same lines as `book`. */
async function float(): Promise<string[]> {
  const transfers = await fixture.journal.transfers()
  return transfers
    .filter(({ debit, credit }) => [debit, credit].includes('float:mpesa'))
    .map(({ event_key: key, minor }) => `${key.replace(':mpesa:', ' ')} ${minor}`)
    .sort()
}

test('after every story of Kenya the float equals the provider’s book by receipt, and every invariant holds', async () => {
  const { packs } = await fixture.provider.meta()
  const stories = packs.map(({ name }) => name).filter((name) => !/card|3ds|mtn|airtel/.test(name))
  expect(stories.length).toBeGreaterThan(12)
  const begun: (() => Promise<string>)[] = []
  for (const story of stories) {
    const msisdn = await fixture.provider.addPhone('approve', '25479')
    await begin(story, msisdn)
    const { id } = await order(fixture)
    const payer = fixture.newPayer()
    const intentId = await payer.payUntilAnswered(id, msisdn)
    begun.push(() => payer.untilFinal(intentId, 240_000))
  }
  await fixture.provider.playPack('none')
  // Moves the clock until prompts have timed out and late callbacks have come.
  for (const ms of [20_000, 70_000, 200_000]) await fixture.provider.jump(ms)
  const ended = await Promise.all(begun.map((untilFinal) => untilFinal()))
  expect(ended.filter((status) => status === 'completed').length).toBeGreaterThan(5)

  await eventually(
    'the float is the book',
    async () => (await float()).join() === (await book()).join(),
    60_000,
    500,
  )
  expect((await book()).length).toBeGreaterThan(8)
  expect(await operate(fixture.stack.dir, 'audit')).toMatchObject({ isGood: true })
})

test('the audit reads every row of the book, however many pages it takes', async () => {
  const { session } = await fixture.provider.meta()
  const sessionUrl = `${fixture.stack.file.simulator.url}/s/${session}`
  const rows = await readBook(sessionUrl, 3)
  expect(rows.map(({ receipt }) => receipt)).toEqual(
    (await fixture.provider.book()).map(({ receipt }) => receipt),
  )
})

wholeShillingsTests(() => ({ fixture, hub, browser }))

/** How many receipts were ever put into suspense. */
async function countHeld(): Promise<number> {
  const transfers = await fixture.journal.transfers()
  return transfers.filter(({ credit }) => credit.startsWith('suspense:')).length
}

/** Has a payer pay one checkout from the menu and by the prompt. Returns the receipt that is then in suspense. */
async function paidTwice(): Promise<string> {
  const heldBefore = await countHeld()
  const msisdn = await fixture.provider.addPhone('approve', '25479')
  await begin('both-paid', msisdn)
  const { id } = await order(fixture)
  await fixture.newPayer().payUntilAnswered(id, msisdn)
  const held = async () => {
    // Each command of an operator starts a process, so none is run before there is something to list.
    if ((await countHeld()) === heldBefore) return undefined
    const { text } = await operate(fixture.stack.dir, 'suspense', 'list')
    return /(mpesa:\w+) +duplicate/.exec(text)?.[1]
  }
  return eventually('a receipt in suspense', held, 60_000, 250)
}

test('a held payment is refunded with two operators, and not with one', async () => {
  const { dir } = fixture.stack
  const list = await operate(dir, 'suspense', 'list')
  const [, subject = ''] = /(mpesa:\w+) +duplicate/.exec(list.text) ?? []
  const refund = ['suspense', 'refund', subject, '--note', 'paid twice']
  expect((await operate(dir, ...refund)).text).toContain('enroll NAME')
  for (const name of ['amina', 'brian']) {
    expect(await operate(dir, 'enroll', name)).toMatchObject({ isGood: true })
  }
  expect((await operate(dir, ...refund)).text).toContain('one of amina, brian')
  // The ledger accepts no signature of a key that is not enrolled, whatever the name of the key.
  const own = join(dir, 'own.key')
  const taken = { text: expect.stringMatching(/ke name taken, ug name taken\n$/), isGood: false }
  expect(await operate(dir, 'enroll', 'Brian', '--identity', own)).toMatchObject(taken)
  expect(existsSync(own)).toBe(false)
  makeIdentityFile(own, operatorPassphrase)
  const asOwn = await operate(dir, ...refund, '--identity', own)
  expect(asOwn.text).toMatch(/^Refused: op_\w+ is not an enrolled operator/)
  const answer = await operate(dir, ...refund, '--identity', 'amina')
  const [id = ''] = /rf_\w+/.exec(answer.text) ?? []
  const approve = ['suspense', 'approve', id, '--note', 'checked', '--identity']
  for (const spelling of ['amina', 'Amina']) {
    expect(await operate(dir, ...approve, spelling)).toEqual({
      text: 'needs another\n',
      isGood: false,
    })
  }
  expect(await operate(dir, ...approve, 'brian')).toEqual({ text: 'approved\n', isGood: true })
  // The refund is of the amount paid, not of the price.
  const refunded = `refunded ${subject.replace('mpesa:', '')} ${String(askedMinor)}`
  await eventually(
    'the money is back, and both books say so',
    async () =>
      (await book()).includes(refunded) && (await float()).join() === (await book()).join(),
    60_000,
    500,
  )
  const story = await operate(dir, 'suspense', 'show', subject)
  expect(story.text).toContain('returned to the payer')
  expect(story.text).toMatch(/refund_approved +brian +checked/)
  expect(await operate(dir, 'audit')).toMatchObject({ isGood: true })
  const past = await operate(dir, 'reconcile', '--day', '2020-01-01')
  expect(past).toMatchObject({ text: expect.stringMatching(/ke +mpesa .* the end /), isGood: true })
  // An unfinished day is reconciled up to the reported time.
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format()
  const present = await operate(dir, 'reconcile', '--day', today)
  expect(present.text).toMatch(/ read until [^]*ke +mpesa .* \d\d:\d\d /)
})

test('an operator lists reports of payment, and cannot close one that does not exist', async () => {
  const { dir } = fixture.stack
  const list = await operate(dir, 'reports', 'list')
  expect(list).toMatchObject({ isGood: true })
  expect(list.text).toContain('signed')
  const closing = ['reports', 'close', 'mpesa:QK00000000', '--note', 'not at M-PESA', '--identity']
  expect(await operate(dir, ...closing, 'amina')).toEqual({
    ...{ text: 'report not found\n', isGood: false },
  })
  const post = ['reports', 'post', `pi_${'0'.repeat(24)}`, '--note', 'at M-PESA', '--identity']
  expect((await operate(dir, ...post, 'amina')).text).toContain('--receipt RECEIPT')
  const seen = ['--country', 'ke', '--receipt', 'QK00000000', '--amount', '500.00']
  expect(await operate(dir, ...post, 'amina', ...seen)).toEqual({
    ...{ text: 'report not found\n', isGood: false },
  })
  const silent = ['reports', 'close', 'mpesa:QK00000000', '--identity', 'amina']
  expect(await operate(dir, ...silent)).toEqual({
    ...{ text: 'Why? --note TEXT: each act with money is kept with its reason\n', isGood: false },
  })
})

test('held money is placed with a wallet by two operators, and not by one', async () => {
  const { dir } = fixture.stack
  const subject = await paidTwice()
  const wallet = await fixture.journal.firstAccount()
  const apply = ['suspense', 'apply', subject, '--wallet', wallet, '--note', 'theirs', '--identity']
  const answer = await operate(dir, ...apply, 'amina')
  const [id = ''] = /pl_\w+/.exec(answer.text) ?? []
  const approve = ['suspense', 'approve', id, '--note', 'theirs', '--identity']
  expect(await operate(dir, ...approve, 'amina')).toEqual({
    text: 'needs another\n',
    isGood: false,
  })
  expect((await operate(dir, 'suspense', 'show', subject)).text).toContain('suspense:')
  expect((await operate(dir, ...approve, 'brian')).text).toMatch(/^placed pi_/)
  expect((await operate(dir, 'suspense', 'show', subject)).text).toContain(`wallet:${wallet}`)
})

test('tells an operator what to do about a receipt that is not in the journal, or that names no provider', async () => {
  const { dir } = fixture.stack
  const show = async (receipt: string) => (await operate(dir, 'suspense', 'show', receipt)).text
  expect(await show('mpesa:NEVER00001')).toMatch(/no receipt mpesa:NEVER00001.* reports list/)
  expect(await show('NEVER00001')).toContain('with its provider, as mpesa:')
})

test('a third operator is enrolled by the first two: neither the one who asked nor the third can approve the key', async () => {
  const { dir } = fixture.stack
  const enrolled = await operate(dir, 'enroll', 'carol')
  expect(enrolled).toMatchObject({ isGood: false })
  const [, name = '', key = ''] = /operators ask (\S+) (\S+)/.exec(enrolled.text) ?? []
  const ask = await operate(dir, 'operators', 'ask', name, key, '--identity', 'amina')
  expect(ask).toMatchObject({ text: expect.stringContaining('ke asked, ug asked'), isGood: true })
  const byName = await operate(dir, 'operators', 'approve', 'carol', '--identity', 'brian')
  expect(byName).toMatchObject({ text: expect.stringContaining('Which key?'), isGood: false })
  const [id = ''] = /op_\w+/.exec(enrolled.text) ?? []
  const approve = ['operators', 'approve', id, '--identity']
  expect((await operate(dir, ...approve, 'amina')).text).toContain('ke needs another')
  expect((await operate(dir, ...approve, 'carol')).text).toContain('not an enrolled operator')
  expect((await operate(dir, ...approve, 'brian')).text).toBe(`${id}: ke enrolled, ug enrolled\n`)
  expect((await operate(dir, 'operators', 'list')).text).toMatch(
    /ke +carol +op_\w+ +enrolled +amina/,
  )
})

test('a refund whose outcome the provider never reports is closed by two operators after three days', async () => {
  const { dir } = fixture.stack
  const subject = await paidTwice()
  for (const on of ['callback', 'query'] as const)
    await fixture.provider.addRule({ on, effect: { kind: 'drop' } })
  const answer = await operate(
    dir,
    'suspense',
    'refund',
    subject,
    '--note',
    'rent',
    '--identity',
    'amina',
  )
  const [id = ''] = /rf_\w+/.exec(answer.text) ?? []
  await operate(dir, 'suspense', 'approve', id, '--note', 'checked', '--identity', 'brian')
  await eventually(
    'the money is back at the provider',
    async () => (await book()).filter((row) => row.startsWith('refunded')).length === 2,
    60_000,
    500,
  )
  const close = [
    'suspense',
    'close',
    id,
    '--paid',
    '--note',
    'seen in the portal',
    '--identity',
    'amina',
  ]
  expect(await operate(dir, ...close)).toEqual({ text: 'still asked\n', isGood: false })
  await fixture.journal.letThreeDaysPass(id)
  await eventually(
    'the queries have ended',
    async () => (await operate(dir, ...close)).isGood,
    60_000,
    1_000,
  )
  const agree = ['suspense', 'approve-closing', id, '--paid', '--note', 'seen too', '--identity']
  expect(await operate(dir, ...agree, 'amina')).toEqual({ text: 'needs another\n', isGood: false })
  expect(await operate(dir, ...agree, 'brian')).toEqual({ text: 'paid\n', isGood: true })
  expect(await float()).toEqual(await book())
  const story = await operate(dir, 'suspense', 'show', subject)
  expect(story.text).toContain('closed by brian as paid')
  expect(await operate(dir, 'audit')).toMatchObject({ isGood: true })
})
