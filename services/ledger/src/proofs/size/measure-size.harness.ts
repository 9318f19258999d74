import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detachMonth } from '@malipo/stack/retention/detach-month'
import { repositoryDir } from '@malipo/stack/migrate'
import { openProgress, readCommand } from '@malipo/testing/command'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import startDatabases from '@malipo/testing/start-databases'
import stopDatabases from '@malipo/testing/stop-databases'
import { payBillNumberKey } from '../../pay-bill/pay-bill.harness'
import { payments, present, uniquePhone, uniqueReceipt } from '../../payments.harness'
import { startLedger } from '../../start.harness'
import { bodyOf, paidOf } from '../../statements/statement-rows.harness'
import { past } from '../../time.harness'
import { indexTable, readSizes, sizeTable } from './sizes.harness'

const help = `Usage: npm run measure-size [-- --payments N --callers N]

Makes payments by M-PESA through a real ledger, each with a key, a reference, a description, a Pay Bill number, a callback of
Safaricom's shape and a row of the statement, and prints how many bytes of which table one payment takes: as it was made;
what one more takes where the space of detached ones is used again; and detached, when tables and indexes are packed.

  --payments N   3000 unless given
  --callers N    8 unless given
  --help         this text
`

const merchants = 20
const rowsAtOnce = 100
const callbackFile = join(repositoryDir, 'packages/rails/fixtures/mpesa/callback-paid.json')

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers: { payments: 3_000, callers: 8 } })
  if (options === undefined) return 0
  await startDatabases()
  const database = await cloneDatabase('ledger')
  const { made, again, packed, fileBytes } = await measureSizes(database, {
    ...options,
    progress: openProgress('payments', 2 * options.payments),
  })
  process.stdout
    .write(`Bytes a payment, of rows and of indexes: as made; of one more where detached space is used again; detached and packed\n
${sizeTable([made, again, packed], options.payments)}\n\nIts part of the file: ${(fileBytes / options.payments).toFixed(0)} bytes\n
Indexes as made, and how often they were read\n\n${indexTable(made, options.payments)}\n`)
  await database.drop()
  await stopDatabases()
  return 0
}

interface Many {
  readonly payments: number
  readonly callers: number
  readonly progress: (done: number) => void
}

/** Makes payments, detaches them, makes as many again, and detaches those. Returns what they take at each stage. */
export async function measureSizes(database: TestDatabase, many: Many) {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-size-'))
  const payers = await openPayers(database, many)
  const empty = await readSizes(database)
  await payers.pay()
  const made = grown(await readSizes(database), empty)
  const fileBytes = statSync(await detachAll(database, dir, 200)).size
  const detached = await readSizes(database)
  await payers.pay()
  const again = grown(await readSizes(database), detached)
  await detachAll(database, dir, 160)
  await database.pool.query('VACUUM FULL')
  const packed = halved(grown(await readSizes(database), empty))
  await payers.stop()
  rmSync(dir, { recursive: true })
  return { made, again, packed, fileBytes }
}

type Sizes = Awaited<ReturnType<typeof readSizes>>

function grown(after: Sizes, before: Sizes): Sizes {
  return after.map((size, at) => ({ ...size, bytes: size.bytes - (before[at]?.bytes ?? 0) }))
}

/** Halves sizes, because they are those of twice as many payments. */
function halved(sizes: Sizes): Sizes {
  return sizes.map((size) => ({ ...size, bytes: size.bytes / 2 }))
}

/** Moves today's steps and messages into the past, frees the space of their old rows, and detaches their month. */
async function detachAll(database: TestDatabase, dir: string, days: number): Promise<string> {
  await past(database, async (query) => {
    const [to, today] = [`- interval '${String(days)} days'`, "> now() - interval '1 day'"]
    await query(`UPDATE intent_steps SET at = at ${to} WHERE at ${today}`)
    await query(
      `UPDATE provider_messages SET received_at = received_at ${to} WHERE received_at ${today}`,
    )
  })
  await database.pool.query('VACUUM FULL intent_steps')
  await database.pool.query('VACUUM FULL provider_messages')
  const { rows } = await database.pool.query<{ month: string }>(
    `SELECT to_char(max(at) AT TIME ZONE 'UTC', 'YYYY-MM') AS month FROM intent_steps`,
  )
  const month = present(rows[0]).month
  const onProgress = () => undefined
  const options = { databaseUrl: database.ownerUrl, country: 'ke', dir, note: 'size', onProgress }
  return detachMonth({ ...options, month })
}

export async function openPayers(
  database: TestDatabase,
  { payments: many, callers, progress }: Many,
) {
  const ledger = await startLedger(database, { payBillNumberKey })
  const pay = payments(ledger)
  const accounts = await Promise.all(Array.from({ length: merchants }, () => pay.merchant()))
  const { body } = JSON.parse(readFileSync(callbackFile, 'utf8')) as { readonly body: object }
  const callback = JSON.stringify(body)
  let done = 0

  const payOne = async (at: number) => {
    const accountId = present(accounts[at % accounts.length])
    const { checkoutId } = await pay.checkout({
      accountId,
      reference: `order-${String(at).padStart(6, '0')}`,
      description: 'Two bags of coffee',
      returnUrl: 'https://shop.example.co.ke/thanks',
      idempotencyKey: randomUUID(),
      phone: uniquePhone(),
    })
    const { intent } = await pay.start(checkoutId, { key: randomUUID() })
    const attempt = await pay.prompted(intent)
    const receipt = uniqueReceipt()
    const messageId = await pay.callback(attempt.callbackToken, {
      body: Buffer.from(callback.replace('UKK1RT61SV', receipt)),
    })
    await ledger.applyEvidence({
      messageId,
      fact: { $case: 'confirmed', value: { ...attempt, receipt } },
    })
    return { receipt, amountMinor: attempt.amountMinor, accountNumber: 'M0' }
  }

  return {
    async pay(): Promise<void> {
      let at = 0
      const shown: Awaited<ReturnType<typeof payOne>>[] = []
      const call = async () => {
        while (at < many) {
          shown.push(await payOne((at += 1)))
          progress((done += 1))
        }
      }
      await Promise.all(Array.from({ length: callers }, call))
      for (let from = 0; from < shown.length; from += rowsAtOnce) {
        const some = shown.slice(from, from + rowsAtOnce)
        const rows = some.map((one) => ({ body: bodyOf(one), paid: paidOf(one) }))
        await ledger.takeStatementRows({ rows })
      }
    },
    stop: () => ledger.stop(),
  }
}
