import type { PayBill } from '@malipo/rails/rail'
import type { Clock } from '@malipo/runtime/clock'
import type { Log } from '@malipo/runtime/log'
import { happenings } from '@malipo/runtime/metrics'
import type { Ledger } from '../clients/ledger'
import type { Lease } from '../clients/lease'
import type { Jobs } from './open-jobs'

export interface WatchPayBillOptions {
  readonly payBill: Pick<PayBill, 'listPayments'>
  readonly ledger: Pick<Ledger, 'storeStatementRow' | 'recordStatementRead'>
  readonly jobs: Pick<Jobs, 'run'>
  /** One worker reads the statement for all of them. */
  readonly lease: Lease
  readonly clock: Clock
  readonly log: Log
  readonly everyMs: number
}

/** A provider or a ledger that is just starting is asked again this soon, and then ever more seldom. */
const soonMs = 5_000
/** Pull Transactions is granted by a person at Safaricom, which takes days. */
const ungrantedMs = 3_600_000
/** As far back as Pull Transactions reaches. */
const reachMs = 48 * 3_600_000
/** A payment may enter the statement after the moment that it tells. */
const overlapMs = 15 * 60_000

type Read = 'read' | 'failed' | 'not_granted'

/**
 * Reads M-Pesa's statement for Pay Bill payments that were not reported: a confirmation is sent once, and may be lost.
 * The holder of the lease reads; the other workers stand by, and take over when it stops renewing.
 */
export function startWatchingPayBill(options: WatchPayBillOptions): { stop: () => Promise<void> } {
  const { clock, log, lease, everyMs } = options
  let readUntilMs = 0
  let dueMs = 0
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const read = async (): Promise<void> => {
    const untilMs = clock.now()
    // No further back than it reaches, however long nobody answered: what is not in it would be taken for unpaid.
    const fromMs = Math.max(readUntilMs - overlapMs, untilMs - reachMs)
    const result = await readStatement(options, fromMs, untilMs).catch((error: unknown): Read => {
      // A door: nothing is lost, as the next round reads from where this one did.
      log.warn({ error }, 'the statement was not read')
      return 'failed'
    })
    if (result === 'read') readUntilMs = untilMs
    failures = result === 'failed' ? failures + 1 : 0
    const pauses = {
      read: everyMs,
      failed: Math.min(soonMs * 2 ** (failures - 1), Math.max(everyMs, soonMs)),
      not_granted: ungrantedMs,
    }
    dueMs = clock.now() + pauses[result]
  }

  const round = async (): Promise<void> => {
    if ((await lease.hold()) && clock.now() >= dueMs) await read()
    if (isStopped) return
    // The lease is renewed at least as often as the statement is read, also while reading is not granted.
    const waitMs = Math.min(Math.max(dueMs - clock.now(), 0) || everyMs, everyMs)
    timer = setTimeout(() => void round(), waitMs)
  }
  void round()

  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await lease.release()
    },
  }
}

async function readStatement(
  options: WatchPayBillOptions,
  fromMs: number,
  untilMs: number,
): Promise<Read> {
  const { payBill, ledger, jobs, lease, log } = options
  const window = { from: new Date(fromMs), until: new Date(untilMs) }
  let isAllRead = true
  let rowOffset: number | undefined = 0
  while (rowOffset !== undefined) {
    const listed = await payBill.listPayments({ ...window, rowOffset })
    if (listed.kind === 'not_granted') {
      happenings.inc({ name: 'statement_not_granted' })
      log.error({ detail: listed.detail }, 'reading the statement is not granted; ask Safaricom')
      return 'not_granted'
    }
    if (listed.kind === 'unanswered') {
      log.warn({ detail: listed.detail }, 'the statement was not read')
      return 'failed'
    }
    for (const body of listed.bodies) {
      const id = await ledger.storeStatementRow(body)
      const isRead = await jobs.run({ job: 'read-provider-message', id }).then(
        () => true,
        (error: unknown) => {
          // A door: the row is kept, so the sweep will bring it back, and those behind it do not wait for that.
          log.error({ error, messageId: id }, 'a row of the statement was not read')
          return false
        },
      )
      isAllRead &&= isRead
    }
    // A long statement takes longer than the lease lasts. Two readers do no harm, so the answer does not matter here.
    await lease.hold()
    rowOffset = listed.nextRowOffset
  }
  if (!isAllRead) return 'failed'
  // Only now: what is not in it by this time was not paid.
  await ledger.recordStatementRead('mpesa', window)
  return 'read'
}
