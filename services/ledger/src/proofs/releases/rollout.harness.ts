import { join } from 'node:path'
import {
  CheckoutStatus,
  type LedgerServiceServer,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import type { Calls } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import { repeat } from '@malipo/runtime/repeat'
import { migrateDatabase, repositoryDir } from '@malipo/stack/migrate'
import { urlOfRole } from '@malipo/stack/service-role'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { payments, uniqueReceipt } from '../../payments.harness'
import { ledgerCallers } from '../../methods'
import { startLedger } from '../../start.harness'
import { newEndpointId } from '../../webhooks/webhooks.harness'
import { openReplica, type Replica, unpackPinned } from './pinned-ledger.harness'

const paymentsPerSecond = 20
/** A machine that is too busy for this pace begins fewer payments, so that none fails for lack of time. */
const underWayMax = 6

/** What a rollout did to the payments that ran through it. */
export interface Rollout {
  readonly payments: number
  /** The error messages of what failed. */
  readonly failures: readonly string[]
  /** How many payments the merchant did not read as completed, with their receipt. */
  readonly wrong: number
  /** The calls that each ledger answered in each phase. */
  readonly calls: Readonly<Record<string, Readonly<Record<'earlier' | 'today', number>>>>
  readonly slowestMs: number
  readonly seconds: number
}

/**
 * Makes payments at an even pace while a database is migrated and its ledgers are replaced, and back: the earlier
 * release runs alone, on its own schema and then on today's; then both; today's alone; both; the earlier one alone.
 */
export async function rollOut(database: TestDatabase, paymentsOfPhase: number): Promise<Rollout> {
  const urls = urlsOf(database)
  const pinned = unpackPinned()
  const [earlier, today] = [await openReplica(), await openReplica()]
  const startEarlier = () => pinned.start({ ...earlier, databaseUrl: urls.service })
  const startToday = () => startLedger({ ...database, url: urls.service }, today)
  await migrateDatabase(pinned.serviceDir, urls)
  const running = new Map<string, { stop: () => Promise<void> }>([
    ['earlier', await startEarlier()],
  ])
  const stop = async (name: 'earlier' | 'today') => {
    await running.get(name)?.stop()
    running.delete(name)
  }
  const load = await openLoad([earlier, today])
  const during = (name: string) => load.phase(name, paymentsOfPhase)
  const walk = async () => {
    await during('earlier')
    await migrateDatabase(join(repositoryDir, 'services/ledger'), urls)
    await during('earlier, migrated')
    running.set('today', await startToday())
    await during('both')
    await stop('earlier')
    await during('today')
    running.set('earlier', await startEarlier())
    await during('both, rolled back')
    await stop('today')
    await during('earlier again')
  }
  const end = async () => {
    await load.settle()
    await stop('today')
    await stop('earlier')
    pinned.remove()
  }
  await walk().catch(async (error: unknown) => {
    await end()
    throw error
  })
  await end()
  return load.outcome()
}

/** Opens an empty database. Its ledgers connect as `urlsOf` says. */
export async function openEmptyDatabase(): Promise<TestDatabase> {
  const database = await cloneDatabase('ledger')
  await database.pool.query(
    'DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA migrate CASCADE',
  )
  return database
}

/** The URLs of the migrate step and of the ledgers of a rollout. The ledgers have a role that no other test uses. */
export const urlsOf = ({ ownerUrl }: TestDatabase, role = 'test_ledger_rollout') => ({
  owner: ownerUrl,
  service: urlOfRole(ownerUrl, role, 'test'),
})

/** Opens a client that spreads its calls over the replicas, as the gateway and the worker do. */
function openBalanced(replicas: readonly Replica[]) {
  return openCallsOf<LedgerServiceServer>({
    server: 'ledger-ke',
    definition: LedgerServiceService,
    callers: ledgerCallers('ke'),
    address: `ipv4:${replicas.map(({ port }) => `127.0.0.1:${String(port)}`).join(',')}`,
    whenUnavailable: 'ledger_unavailable',
  })
}

async function openLoad(replicas: readonly [earlier: Replica, today: Replica]) {
  const client = openBalanced(replicas)
  const accountId = await payments(client.calls).merchant()
  await client.calls.switchWebhookOn({ accountId, endpointId: newEndpointId() })
  const beganAt = performance.now()
  const under: Promise<void>[] = []
  const failures: string[] = []
  const calls: Record<string, Record<'earlier' | 'today', number>> = {}
  let begun = 0
  let ended = 0
  let wrong = 0
  let slowestMs = 0
  let seconds = 0
  const payOne = async () => {
    const startedAt = performance.now()
    const isRight = await payOnce(client.calls, accountId)
    if (!isRight) wrong += 1
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
  }
  const log = openLog('test', 'silent')
  const pace = { what: 'begin a payment', everyMs: 1_000 / paymentsPerSecond, log }
  const ticker = repeat(pace, () => {
    // A busy machine is late with a tick, and makes up for it with the next.
    const due = ((performance.now() - beganAt) / 1_000) * paymentsPerSecond
    for (; begun < due && begun - ended < underWayMax; begun += 1) {
      const paying = payOne().catch((error: unknown) => void failures.push(String(error)))
      under.push(paying.then(() => void (ended += 1)))
    }
    return Promise.resolve()
  })
  const answered = async () => ({
    earlier: await callsAnswered(replicas[0]),
    today: await callsAnswered(replicas[1]),
  })
  return {
    /** Waits until `more` payments have begun, and notes the calls that each ledger has answered in this phase. */
    async phase(name: string, more: number): Promise<void> {
      const [first, before] = [begun, await answered()]
      await eventually(`${name}: so many payments have begun`, () => begun >= first + more)
      const after = await answered()
      calls[name] = {
        earlier: after.earlier - before.earlier,
        today: after.today - before.today,
      }
    },
    /** Begins no more payments, and waits for those under way. */
    async settle(): Promise<void> {
      await ticker.stop()
      seconds = (performance.now() - beganAt) / 1_000
      await Promise.all(under)
      client.close()
    },
    outcome: (): Rollout => ({ payments: begun, failures, wrong, calls, slowestMs, seconds }),
  }
}

/** Pays a checkout at the second prompt, by a callback that comes twice. Returns whether it is read as completed. */
async function payOnce(calls: Calls<LedgerServiceServer>, accountId: string): Promise<boolean> {
  const pay = payments(calls)
  const { checkoutId } = await pay.checkout({ accountId })
  await pay.declined(await pay.pending(checkoutId))
  const attempt = await pay.pending(checkoutId)
  const receipt = uniqueReceipt()
  await pay.paid(attempt, { receipt })
  await pay.paid(attempt, { receipt })
  const { checkout } = await calls.retrieveCheckout({ accountId, checkoutId })
  return (
    checkout?.status === CheckoutStatus.COMPLETED && checkout.payment?.providerReceipt === receipt
  )
}

/** How many calls a ledger has answered since it began; 0 when it does not run. */
async function callsAnswered({ adminPort }: Replica): Promise<number> {
  const url = `http://127.0.0.1:${String(adminPort)}/metrics`
  const page = await fetch(url).then(
    (answer) => answer.text(),
    () => '',
  )
  const counts = page.matchAll(/^malipo_rpc_seconds_count\{.*\} (\d+)$/gm)
  const numbers = JSON.parse(`[${[...counts].map(([, count]) => count).join(',')}]`) as number[]
  return numbers.reduce((sum, count) => sum + count, 0)
}
