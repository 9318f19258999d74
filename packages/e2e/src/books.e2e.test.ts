import { eventually } from '@malipo/testing/eventually'
import type { Effect } from '@malipo/testing/simulator-shapes'
import { type House, openHouse } from './house'
import { operate } from './operator'

// Every ready story that concerns Kenya at once, each on a phone of its own, through the whole stack; and then the
// provider's book, the journal and every invariant are compared. Nothing about one payment may be wrong, whatever the
// others do meanwhile.

/** A silent prompt is asked about after a second, and the statement is read all the time. */
const hurried = {
  QUERY_AFTER_SECONDS: '1',
  QUERY_EVERY_SECONDS: '1',
  INTENT_DEADLINE_SECONDS: '20',
  PAY_BILL_SECONDS: '1',
}

let house: House

beforeAll(async () => {
  house = await openHouse(hurried)
})

afterAll(() => house.close())

/** The rules of a story for one phone alone, which another story does not end. */
async function begin(pack: string, msisdn: string): Promise<void> {
  for (const rule of await house.provider.playPack(pack, { msisdn })) {
    const { on, when, effect, probability, skip, from_ms, times, until_ms } = rule
    const bounds = { ...(times && { times }), ...(until_ms && { until_ms }) }
    const same = { on, when, probability, skip, from_ms, ...bounds }
    // A rule is shown in the words in which it is given.
    await house.provider.addRule({ ...same, effect: effect as unknown as Effect })
  }
}

/** `receipt QK… 50000`, as the provider's book has it. */
async function book(): Promise<string[]> {
  const rows = await house.provider.book()
  return rows
    .map(({ kind, receipt, account, amount }) =>
      kind === 'reversal' ? `refunded ${account} ${amount}` : `receipt ${receipt} ${amount}`,
    )
    .sort()
}

/** The same, as the float of the rail has it. */
async function float(): Promise<string[]> {
  const transfers = await house.journal.transfers()
  return transfers
    .filter(({ debit, credit }) => [debit, credit].includes('float:mpesa'))
    .map(({ event_key: key, minor }) => `${key.replace(':mpesa:', ' ')} ${minor}`)
    .sort()
}

test('through every story of Kenya the float is the book, receipt by receipt, and every invariant holds', async () => {
  const { packs } = await house.provider.meta()
  const stories = packs.map(({ name }) => name).filter((name) => !/card|3ds|mtn|airtel/.test(name))
  expect(stories.length).toBeGreaterThan(12)
  const begun: (() => Promise<string>)[] = []
  for (const story of stories) {
    const msisdn = await house.provider.addPhone('approve', '25479')
    await begin(story, msisdn)
    const { id } = await house.merchant.createCheckout({ amount: 50_000 })
    const payer = house.newPayer()
    const intentId = await payer.payUntilAnswered(id, msisdn)
    begun.push(() => payer.untilFinal(intentId, 90_000))
  }
  await house.provider.playPack('none')
  // What takes minutes is let pass: prompts ring out, and callbacks come late.
  for (const ms of [20_000, 70_000, 200_000]) await house.provider.jump(ms)
  const ended = await Promise.all(begun.map((untilFinal) => untilFinal()))
  expect(ended.filter((status) => status === 'completed').length).toBeGreaterThan(5)

  await eventually(
    'the float is the book',
    async () => (await float()).join() === (await book()).join(),
    60_000,
    500,
  )
  expect((await book()).length).toBeGreaterThan(8)
  expect(await operate(house.stack.dir, 'audit')).toMatchObject({ isGood: true })
})

/** Somebody pays from the menu and by the prompt too. Returns the receipt that waits in suspense then. */
async function paidTwice(): Promise<string> {
  const msisdn = await house.provider.addPhone('approve', '25479')
  await begin('both-paid', msisdn)
  const { id } = await house.merchant.createCheckout({ amount: 50_000 })
  await house.newPayer().payUntilAnswered(id, msisdn)
  const held = async () => {
    const { text } = await operate(house.stack.dir, 'suspense', 'list')
    return /mpesa:\w+/.exec(text)?.[0]
  }
  return eventually('a receipt in suspense', held, 60_000, 500)
}

test('two operators send a held payment back to its payer, and one cannot', async () => {
  const { dir } = house.stack
  const list = await operate(dir, 'suspense', 'list')
  const [subject = ''] = /mpesa:\w+/.exec(list.text) ?? []
  const refund = ['suspense', 'refund', subject, '--note', 'paid twice']
  expect((await operate(dir, ...refund)).text).toContain('operator is not accepted')
  const asked = await operate(dir, ...refund, '--as', 'amina')
  const [id = ''] = /rf_\w+/.exec(asked.text) ?? []
  const approve = ['suspense', 'approve', id, '--note', 'checked', '--as']
  expect(await operate(dir, ...approve, 'amina')).toEqual({
    text: 'needs another\n',
    isGood: false,
  })
  expect(await operate(dir, ...approve, 'brian')).toEqual({ text: 'approved\n', isGood: true })
  await eventually(
    'the money is back, and both books say so',
    async () =>
      (await book()).some((row) => row.startsWith('refunded')) &&
      (await float()).join() === (await book()).join(),
    30_000,
    500,
  )
  const story = await operate(dir, 'suspense', 'show', subject)
  expect(story.text).toContain('nobody: it went back')
  expect(story.text).toMatch(/refund_approved +brian +checked/)
  expect(await operate(dir, 'audit')).toMatchObject({ isGood: true })
  expect((await operate(dir, 'reconcile', '--day', '2020-01-01')).isGood).toBe(true)
})

test('a refund that the provider never tells the end of is closed by two operators, after three days', async () => {
  const { dir } = house.stack
  const subject = await paidTwice()
  for (const on of ['callback', 'query'] as const)
    await house.provider.addRule({ on, effect: { kind: 'drop' } })
  const asked = await operate(dir, 'suspense', 'refund', subject, '--note', 'rent', '--as', 'amina')
  const [id = ''] = /rf_\w+/.exec(asked.text) ?? []
  await operate(dir, 'suspense', 'approve', id, '--note', 'checked', '--as', 'brian')
  await eventually(
    'the money is back at the provider',
    async () => (await book()).filter((row) => row.startsWith('refunded')).length === 2,
    60_000,
    500,
  )
  const close = ['suspense', 'close', id, '--paid', '--note', 'seen in the portal', '--as', 'amina']
  expect(await operate(dir, ...close)).toEqual({ text: 'still asked\n', isGood: false })
  await house.journal.letThreeDaysPass(id)
  await eventually(
    'nobody asks any more',
    async () => (await operate(dir, ...close)).isGood,
    60_000,
    1_000,
  )
  const agree = ['suspense', 'approve-closing', id, '--note', 'seen too', '--as']
  expect(await operate(dir, ...agree, 'amina')).toEqual({ text: 'needs another\n', isGood: false })
  expect(await operate(dir, ...agree, 'brian')).toEqual({ text: 'paid\n', isGood: true })
  expect(await float()).toEqual(await book())
  const story = await operate(dir, 'suspense', 'show', subject)
  expect(story.text).toContain('closed by brian as paid')
  expect(await operate(dir, 'audit')).toMatchObject({ isGood: true })
})
