import { digestStatementRow } from '@malipo/contracts/statement-row'
import { readCommand } from '@malipo/testing/command'
import { merchant, startLedger } from './capture'
import { msBetween, readProcessorMs } from './chain/processor-time'
import { withServer } from './server'
import { load } from './table'

const help = `Usage: npm run bench -- statement [OPTIONS]

Gives rows of M-Pesa's statement to a real ledger over gRPC as a worker does, two batches at a time: rows of payments that no
confirmation reported, other rows of the same receipts (as where confirmations came first), and rows that it has already.
The ledger and its caller share this process. Prints rows a second, whose goal by the design is 10,000, and the microseconds
of a processor that this process and PostgreSQL spend on a row (Linux only).

  --rows N     of each kind, 20000 unless given
  --rounds N   3 unless given
  --help       this text
`

const numbers = { rows: 20_000, rounds: 3 }
/** The rows of one call: as many as a worker puts into a call of 64 KB. */
const lotRows = 180
const batchesAtOnce = 2

export async function benchStatement(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers })
  if (options === undefined) return 0
  await withServer(async ({ ledger: { url, pool }, pid }) => {
    const ledger = await startLedger(url)
    await ledger.ask('openWallet', { accountId: merchant, cardEnabled: false })
    for (let round = 0; round < options.rounds; round += 1) {
      const range = { from: round * options.rows, count: options.rows }
      const measured = async (organization: string) => {
        const paced = async () => read(ledger.ask, { ...range, organization })
        return withProcessorTime(paced, { rows: options.rows, pid })
      }
      const paces = {
        unreported: await measured('Malipo'),
        reported: await measured('Malipo Payments'),
        known: await measured('Malipo'),
      }
      const figures = Object.entries(paces).map(([kind, pace]) => `${kind} ${pace}`)
      process.stdout.write(
        `round ${String(round + 1)}: ${figures.join(', ')}; load average ${load()}\n`,
      )
    }
    const { rows } = await pool.query<{ posted: string }>(
      'SELECT count(*) AS posted FROM transfers',
    )
    process.stdout.write(`${String(rows[0]?.posted)} posted\n`)
    await ledger.stop()
  })
  return 0
}

/** Returns a pace and the processor time of one row, here and in PostgreSQL, which is a child of this process. */
async function withProcessorTime(
  paced: () => Promise<number>,
  { rows, pid }: { readonly rows: number; readonly pid: number },
): Promise<string> {
  const processes = { all: { pid: process.pid }, postgres: { pid } }
  const before = readProcessorMs(processes)
  const pace = await paced()
  const { all = 0, postgres = 0 } = msBetween(before, readProcessorMs(processes))
  const [ours, theirs] = [all - postgres, postgres].map((ms) => Math.round((ms * 1_000) / rows))
  return `${String(pace)}/s (${String(ours)} + ${String(theirs)} us)`
}

interface Range {
  readonly from: number
  readonly count: number
  /** A different name makes a different row of the same receipt. */
  readonly organization: string
}

type Ask = Awaited<ReturnType<typeof startLedger>>['ask']

/** Returns rows a second. */
async function read(ask: Ask, { from, count, organization }: Range): Promise<number> {
  const batches: number[][] = []
  for (let first = from; first < from + count; first += lotRows) {
    const length = Math.min(lotRows, from + count - first)
    batches.push(Array.from({ length }, (_, n) => first + n))
  }
  const waiting = batches.values()
  const beganAt = performance.now()
  const takeBatches = async () => {
    for (const batch of waiting) await readBatch(ask, batch, organization)
  }
  await Promise.all(Array.from({ length: batchesAtOnce }, takeBatches))
  return Math.round((count * 1_000) / (performance.now() - beganAt))
}

async function readBatch(ask: Ask, batch: readonly number[], organization: string): Promise<void> {
  const bodies = batch.map((n) => rowOf(n, organization))
  const digests = bodies.map(digestStatementRow)
  const found = await ask<{ applied: boolean[] }>('findStatementRows', { digests })
  const rows = batch.flatMap((n, place) => {
    const isNew = found.applied[place] === false
    return isNew ? [{ body: bodies[place], paid: paidOf(n) }] : []
  })
  if (rows.length === 0) return
  const taken = await ask<{ rows: { result: string }[] }>('takeStatementRows', { rows })
  const isWhole = taken.rows.every(({ result }) => result.includes('SETTLED'))
  if (!isWhole) throw new Error('a row was left out')
}

const receiptOf = (n: number) => `B${String(n).padStart(9, '0')}`
/** Every second payment is for a handle, and the others for an account number that belongs to no merchant. */
const accountOf = (n: number) => (n % 2 === 0 ? 'mama-mboga' : 'rent november')

function paidOf(n: number) {
  const payee = n % 2 === 0 ? { accountId: merchant, handle: 'Mama-Mboga' } : undefined
  return {
    ...{ receipt: receiptOf(n), amountMinor: 50_000n, accountNumber: accountOf(n) },
    ...{ phone: '254708374149', payee, payeeUnknown: false },
    paidAt: new Date('2026-11-20T09:00:00Z'),
  }
}

/** A row as Pull Transactions shows it. */
function rowOf(n: number, organizationname: string): Buffer {
  return Buffer.from(
    JSON.stringify({
      transactionId: receiptOf(n),
      trxDate: '2026-11-20T12:00:00+03:00',
      msisdn: 254_708_374_149,
      sender: 'MPESA',
      transactiontype: 'c2b-pay-bill-debit',
      billreference: accountOf(n),
      amount: '500.0',
      organizationname,
    }),
  )
}
