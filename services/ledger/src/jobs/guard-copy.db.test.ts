import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneDatabase, copyDatabase, type TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { payments } from '../payments.harness'
import { payBill, payBillNumberKey } from '../rpc/pay-bill.harness'
import { type RunningLedger, startLedger } from '../start.harness'

const dir = mkdtempSync(join(tmpdir(), 'malipo-copy-'))
const copyMarkFile = join(dir, 'ledger-ke.json')

let database: TestDatabase
let older: TestDatabase
/** What payers got from the database after it was copied. */
const numbers: string[] = []

/** A payment, and the Pay Bill number of another checkout. */
async function useLedger(ledger: RunningLedger): Promise<string> {
  const pay = payments(ledger)
  await pay.paid(await pay.pending((await pay.checkout()).checkoutId))
  const { checkoutId } = await pay.checkout()
  return payBill(ledger).number(checkoutId)
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

const markedSteps = () => readFileSync(copyMarkFile, 'utf8')

beforeAll(async () => {
  database = await cloneDatabase('ledger')
  const first = await open(database)
  await useLedger(first)
  await first.stop()
  older = await copyDatabase('ledger', database)
  const again = await open(database)
  const marked = markedSteps()
  // More than the places that one ledger fetches at once.
  for (let turn = 0; turn < 3; turn += 1) numbers.push(await useLedger(again))
  await eventually('it is marked', () => markedSteps() !== marked)
  await again.stop()
})

afterAll(async () => {
  await database.drop()
  await older.drop()
  rmSync(dir, { recursive: true, force: true })
})

test('a ledger on an older copy of its database is not ready, says why within 5 s, and takes no calls until that is accepted', async () => {
  const adminPort = await freePort()
  const startedAt = performance.now()
  const starting = open(older, adminPort)
  const ready = async () => {
    const url = `http://127.0.0.1:${String(adminPort)}/readyz`
    return (await fetch(url).catch(() => undefined))?.text()
  }
  const refused = async () => {
    const text = await ready()
    return text?.includes('older copy') === true && text
  }
  const refusal = await eventually('it says why it is not ready', refused, 5_000)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect(refusal).toMatch(
    /^not ready: .*copy \(the database is an older copy: it lacks what happened at /,
  )
  const isStarted = await Promise.race([starting.then(() => true), Promise.resolve(false)])
  expect(isStarted).toBe(false)

  writeFileSync(`${copyMarkFile}.accepted`, '')
  const ledger = await starting
  expect(await ready()).toBe('ready\n')
  expect(existsSync(`${copyMarkFile}.accepted`)).toBe(false)
  const given = [await useLedger(ledger), await useLedger(ledger), await useLedger(ledger)]
  expect(given.filter((number) => numbers.includes(number))).toEqual([])
  await ledger.stop()
})

test('the database that the copy has taken over from is refused in its turn', async () => {
  const adminPort = await freePort()
  const starting = open(database, adminPort)
  const url = `http://127.0.0.1:${String(adminPort)}/readyz`
  const refused = async () => (await fetch(url).catch(() => undefined))?.status === 503
  await eventually('it is not ready', refused, 5_000)
  writeFileSync(`${copyMarkFile}.accepted`, '')
  await (await starting).stop()
})
