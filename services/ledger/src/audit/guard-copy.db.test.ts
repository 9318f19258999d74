import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneDatabase, copyDatabase, type TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { cards } from '../cards/cards.harness'
import { settledInvariants } from '../invariants.harness'
import { payments, present } from '../payments.harness'
import { operators } from '../operators/operators.harness'
import { payBill, payBillNumberKey } from '../pay-bill/pay-bill.harness'
import { type RunningLedger, startLedger } from '../start.harness'

const dir = mkdtempSync(join(tmpdir(), 'malipo-copy-'))
const copyMarkFile = join(dir, 'ledger-ke.json')

let database: TestDatabase
let older: TestDatabase
/** The Pay Bill numbers that payers got after the database was copied. */
const numbers: string[] = []
/** The ids of what was agreed before the database was copied, and handed out to a worker after that. */
let toSend: { prompt: string; card: string; refund: string }
let callbackToken: string

/** A payment, and the Pay Bill number of another checkout. */
async function useLedger(ledger: RunningLedger): Promise<string> {
  const pay = payments(ledger)
  await pay.paid(await pay.pending((await pay.checkout()).checkoutId))
  const { checkoutId } = await pay.checkout()
  return payBill(ledger).number(checkoutId)
}

/** A prompt and a card page that a worker is about to fetch. */
async function agreeToStart(ledger: RunningLedger) {
  const pay = payments(ledger)
  const { intent } = await pay.start((await pay.checkout()).checkoutId)
  const byCard = cards({ ledger, pay })
  const card = await byCard.start((await byCard.checkout()).checkoutId)
  return { prompt: present(intent).intentId, card: present(card.intent).intentId }
}

/** A prompt, a card page and a refund that a worker is about to fetch. */
async function agreeToSend(ledger: RunningLedger): Promise<typeof toSend> {
  const pay = payments(ledger)
  const started = await agreeToStart(ledger)
  const by = operators({ database, ledger, pay })
  await by.enroll()
  const refund = await by.requestedRefund(await by.unmatched())
  await by.agreed(refund)
  return { ...started, refund }
}

async function fetchSends(ledger: RunningLedger) {
  const { prompt } = await ledger.beginSubmit({ intentId: toSend.prompt })
  const { prompt: card } = await ledger.beginSubmit({ intentId: toSend.card })
  const { order: refund } = await ledger.beginRefund({ refundId: toSend.refund })
  return { prompt, card, refund }
}

const open = (of: TestDatabase, adminPort = 0) =>
  startLedger(of, { payBillNumberKey, copyMarkFile, adminPort })

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

const acceptance = `${copyMarkFile}.accepted`

/** The readiness that a starting ledger reports; undefined before it listens. */
async function readiness(adminPort: number): Promise<string | undefined> {
  const url = `http://127.0.0.1:${String(adminPort)}/readyz`
  return (await fetch(url).catch(() => undefined))?.text()
}

async function lastPlace(): Promise<number> {
  const text = 'SELECT last_value::int AS place FROM pay_bill_places'
  const { rows } = await older.pool.query<{ place: number }>(text)
  return present(rows[0]).place
}

const markedPlace = () => (JSON.parse(markedSteps()) as { readonly place: number }).place

const markedSteps = () => readFileSync(copyMarkFile, 'utf8')

beforeAll(async () => {
  database = await cloneDatabase('ledger')
  const first = await open(database)
  await useLedger(first)
  toSend = await agreeToSend(first)
  await first.stop()
  older = await copyDatabase('ledger', database)
  const again = await open(database)
  const marked = markedSteps()
  // A ledger on the older copy would give these numbers to other checkouts.
  for (let turn = 0; turn < 3; turn += 1) numbers.push(await useLedger(again))
  const sent = await fetchSends(again)
  callbackToken = present(sent.prompt).callbackToken
  expect([sent.card, sent.refund]).not.toContain(undefined)
  await eventually('it is marked', () => markedSteps() !== marked)
  await again.stop()
})

afterAll(async () => {
  await database.drop()
  await older.drop()
  rmSync(dir, { recursive: true, force: true })
})

test('row 77: a ledger on an older copy of its database reports not ready with the reason, and takes no calls until the copy is accepted', async () => {
  const adminPort = await freePort()
  const starting = open(older, adminPort)
  const ready = () => readiness(adminPort)
  const refused = async () => {
    const text = await ready()
    return text?.includes('older copy') === true && text
  }
  const refusal = await eventually('it says why it is not ready', refused)
  expect(refusal).toMatch(
    /^not ready: .*copy \(the database is an older copy: it lacks what happened at /,
  )
  // A ledger that did not wait would be open after a few of these.
  for (let looks = 0; looks < 300; looks += 1) expect(await ready()).toContain(', open')

  writeFileSync(acceptance, '')
  const ledger = await starting
  expect(await ready()).toBe('ready\n')
  expect(existsSync(acceptance)).toBe(false)
  const given = [await useLedger(ledger), await useLedger(ledger), await useLedger(ledger)]
  expect(given.filter((number) => numbers.includes(number))).toEqual([])
  await ledger.stop()
})

test('row 98: an accepted copy sends nothing that may have been sent before; it queries the provider and accepts a callback', async () => {
  const ledger = await open(older)
  const nothing = { prompt: undefined, card: undefined, refund: undefined }
  expect(await fetchSends(ledger)).toEqual(nothing)
  const answer = await ledger.beginQuery({ intentId: toSend.prompt })
  expect(answer.query?.receiptWanted).toBe(false)
  // The card gateway knows an order by the id of its intent, so the ledger queries it with that id instead of taking
  // the page for one that was never shown.
  const askedCard = await ledger.beginQuery({ intentId: toSend.card })
  expect(askedCard.query?.providerRequestId).toBe(toSend.card)
  const { rows } = await older.pool.query(
    `SELECT deadline_at > now() + interval '13 minutes' AS "isPageOpen" FROM intents WHERE id = $1`,
    [toSend.card],
  )
  expect(rows).toEqual([{ isPageOpen: true }])
  const pay = payments(ledger)
  const attempt = {
    intentId: toSend.prompt,
    callbackToken,
    providerRequestId: '',
    amountMinor: 50_000n,
  }
  expect(await pay.paid(attempt)).toMatchObject({ status: 'INTENT_STATUS_COMPLETED' })
  await ledger.stop()
  expect(await settledInvariants(older)).toEqual({})
})

test('an older copy that lacks nothing of the copy mark sends nothing again once it is accepted', async () => {
  const first = await open(older)
  const { prompt: intentId } = await agreeToStart(first)
  await first.stop()
  writeFileSync(acceptance, '')
  const ledger = await open(older)
  expect((await ledger.beginSubmit({ intentId })).prompt).toBeUndefined()
  await ledger.stop()
})

test('a running ledger removes an acceptance, which would let a later copy pass unseen', async () => {
  const ledger = await open(older)
  writeFileSync(acceptance, '')
  const isRemoved = () => !existsSync(acceptance)
  const removed = await eventually('it is removed', isRemoved).catch(String)
  // An acceptance that stays there would disturb the tests below.
  rmSync(acceptance, { force: true })
  await ledger.stop()
  expect(removed).toBe(true)
})

test('the original database is refused after its copy was accepted', async () => {
  const adminPort = await freePort()
  const starting = open(database, adminPort)
  const refused = async () => (await readiness(adminPort))?.includes('older copy')
  await eventually('it is not ready', refused)
  writeFileSync(acceptance, '')
  await (await starting).stop()
})

test('two ledgers that wait on one copy are both ready after one acceptance, on which one of them acts', async () => {
  const marked = markedPlace()
  const ports = [await freePort(), await freePort()]
  const starting = Promise.all(ports.map((port) => open(older, port)))
  const all = (word: string) => async () => {
    const texts = await Promise.all(ports.map(readiness))
    return texts.every((text) => text?.includes(word))
  }
  await eventually('both are refused', all('older copy'))
  writeFileSync(acceptance, '')
  const areReady = await eventually('both are ready', all('ready\n')).catch(String)
  expect(areReady).toBe(true)
  for (const ledger of await starting) await ledger.stop()
  // Each ledger that acts on the acceptance passes over 10,000 places.
  expect((await lastPlace()) - marked).toBeLessThan(15_000)
})

test('a second acceptance takes nothing for sent while another ledger serves the copy', async () => {
  const serving = await open(older)
  const { prompt: intentId } = await agreeToStart(serving)
  let isReady = false
  const starting = open(older).then((ledger) => {
    isReady = true
    return ledger
  })
  await eventually('another ledger is ready', () => {
    // Written again and again, so that the starting ledger finds it although the serving one removes it.
    writeFileSync(acceptance, '')
    return isReady
  })
  const other = await starting
  rmSync(acceptance)
  const { prompt } = await serving.beginSubmit({ intentId })
  await other.stop()
  await serving.stop()
  expect(prompt).toBeDefined()
})

test('a ledger waits while another acts on an acceptance, and acts on it itself where the other ended midway', async () => {
  const acting = await database.pool.connect()
  await acting.query("SELECT pg_advisory_lock(hashtextextended('copy mark', 0))")
  writeFileSync(acceptance, '')
  const adminPort = await freePort()
  const starting = open(database, adminPort)
  await eventually('it waits', () => readiness(adminPort))
  const texts = new Set<string | undefined>()
  // A ledger that did not wait would be open after a few of these.
  for (let looks = 0; looks < 300; looks += 1) texts.add(await readiness(adminPort))
  const isKept = existsSync(acceptance)
  acting.release(true)
  const ledger = await starting
  await ledger.stop()
  expect([texts, isKept]).toEqual([new Set(['not ready: open\n']), true])
  expect(existsSync(acceptance)).toBe(false)
})
