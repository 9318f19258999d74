import type { Listed, PayBill } from '@malipo/rails/rail'
import type { Clock } from '@malipo/runtime/clock'
import type { Log } from '@malipo/runtime/log'
import type { Ledger } from '../clients/ledger'
import type { Jobs } from './open-jobs'

export interface WatchPayBillOptions {
  readonly payBill: PayBill
  readonly ledger: Pick<Ledger, 'storeStatementRow' | 'recordStatementRead'>
  readonly jobs: Pick<Jobs, 'run'>
  readonly clock: Clock
  readonly log: Log
  /** Where M-Pesa asks and tells, without a slash at the end. */
  readonly url: string
  readonly everyMs: number
}

/** A provider or a ledger that is just starting is asked again this soon. */
const soonMs = 5_000
/** As far back as Pull Transactions reaches. */
const reachMs = 48 * 3_600_000
/** A payment may enter the statement after the moment that it tells. */
const overlapMs = 15 * 60_000

/**
 * Sees to it that M-Pesa tells us of Pay Bill payments, and reads in its statement those that it did not: a
 * confirmation is sent once, and whether anybody heard it is nobody's business but ours.
 */
export function startWatchingPayBill(options: WatchPayBillOptions): { stop: () => void } {
  const { clock, log, everyMs } = options
  let readUntilMs = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const round = async (): Promise<void> => {
    const untilMs = clock.now()
    // No further back than it reaches, however long nobody answered: what is not in it would be taken for unpaid.
    const fromMs = Math.max(readUntilMs - overlapMs, untilMs - reachMs)
    const isDone = await watch(options, fromMs, untilMs).catch((error: unknown) => {
      // A door: nothing is lost, as the next round reads from where this one did.
      log.warn({ error }, 'Pay Bill payments are not watched')
      return false
    })
    if (isDone) readUntilMs = untilMs
    if (!isStopped) timer = setTimeout(() => void round(), isDone ? everyMs : soonMs)
  }
  void round()

  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

async function watch(
  options: WatchPayBillOptions,
  fromMs: number,
  untilMs: number,
): Promise<boolean> {
  const { payBill, ledger, jobs, log, url } = options
  const urls = { validationUrl: `${url}/validation`, confirmationUrl: `${url}/confirmation` }
  const registered = await payBill.register(urls)
  if (registered.kind === 'unanswered') {
    log.warn({ detail: registered.detail }, 'M-Pesa does not know where to tell of Pay Bill')
    return false
  }
  const window = { from: new Date(fromMs), until: new Date(untilMs) }
  let isAllRead = true
  let rowOffset: number | undefined = 0
  while (rowOffset !== undefined) {
    const listed: Listed = await payBill.listPayments({ ...window, rowOffset })
    if (listed.kind === 'unanswered') {
      log.warn({ detail: listed.detail }, 'the statement was not read')
      return false
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
    rowOffset = listed.nextRowOffset
  }
  if (!isAllRead) return false
  // Only now: what is not in it by this time was not paid.
  await ledger.recordStatementRead('mpesa', window)
  return true
}
