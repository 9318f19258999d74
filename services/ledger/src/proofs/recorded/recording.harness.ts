import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Calls } from '@malipo/runtime/grpc'
import { cloneDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import type { Config } from '../../config'
import { settledInvariants } from '../../invariants.harness'
import type { TestLedger } from '../../ledger.harness'
import { payments } from '../../payments.harness'
import { type RunningLedger, startLedger } from '../../start.harness'
import { letPass } from '../../time.harness'
import { ledgerCallers } from '../../methods'
import { nameTime, openNames } from './names.harness'

/** The ledger as a scenario calls it: each exchange is recorded, whichever helper makes it. */
export interface Recording extends Pick<TestLedger, 'database' | 'ledger' | 'pay' | 'another'> {
  /** The same ledger without a recording, for calls that are repeated or whose answers depend on the moment. */
  readonly quiet: RunningLedger
  /** Moves everything in the database into the past, and records how far. */
  pass(seconds: number): Promise<void>
  /** Waits until an intent has expired, which the ledger does by itself each second. */
  expired(intentId: string): Promise<void>
  /** Records what no single answer shows, such as the findings of an audit. */
  note(what: string, seen: unknown): void
  /** Waits for a call that has to be refused, and fails when it is not. */
  refused(answer: Promise<unknown>): Promise<void>
}

export interface Scenario {
  readonly name: string
  readonly config?: Partial<Config>
  play(at: Recording): Promise<void>
}

interface Call {
  readonly method: string
  readonly by: string | undefined
  readonly request: unknown
  outcome: { readonly response: unknown } | { readonly fault: unknown } | undefined
  /** How far the rows were moved into the past when the call was answered. */
  passedMs: number
}

type Event = Call | { readonly passed: number } | { readonly note: string; readonly seen: unknown }

export interface Played {
  readonly exchanges: readonly unknown[]
  /** The invariants that do not hold at the end. */
  readonly broken: object
  /** The error that broke the scenario off; undefined when none did. */
  readonly failure: unknown
}

/** Plays a scenario on a separate ledger and database. */
export async function playScenario({ config = {}, play }: Scenario): Promise<Played> {
  const database = await cloneDatabase('ledger')
  const quiet = await startLedger(database, config)
  // The scenario's time begins here, because the start of the ledger takes seconds on a busy machine.
  const { rows } = await database.pool.query<{ now: Date }>('SELECT now()')
  const beganAtMs = rows[0]?.now.getTime() ?? 0
  const running = [quiet]
  const events: Event[] = []
  let passedMs = 0

  const record = (calls: Calls<LedgerServiceServer>, by?: string) =>
    recordedCalls(calls, (method, request) => {
      const call: Call = { method, by, request, outcome: undefined, passedMs: 0 }
      events.push(call)
      return (outcome) => Object.assign(call, { outcome, passedMs })
    })
  const recorded = (ledger: RunningLedger): RunningLedger => ({
    ...ledger,
    ...record(ledger),
    as: (operator) => record(ledger.as(operator), operator.operatorId),
  })

  const ledger = recorded(quiet)
  const failure: unknown = await play({
    ...{ database, ledger, quiet, pay: payments(ledger) },
    async another(changes) {
      const more = await startLedger(database, { ...config, ...changes })
      running.push(more)
      return { ledger: recorded(more), pay: payments(recorded(more)) }
    },
    async pass(seconds) {
      await letPass(database, seconds)
      events.push({ passed: seconds })
      passedMs += seconds * 1_000
    },
    async expired(intentId) {
      await eventually('the intent has expired', async () => {
        const { intent } = await quiet.readIntent({ intentId })
        return intent?.status === 'INTENT_STATUS_EXPIRED'
      })
    },
    note(what, seen) {
      events.push({ note: what, seen })
    },
    async refused(answer) {
      await answer.then(
        () => Promise.reject(new Error('it was not refused')),
        () => undefined,
      )
    },
  }).then(
    () => undefined,
    (error: unknown) => error,
  )
  const broken = await settledInvariants(database)
  await Promise.all(running.map((one) => one.stop()))
  await database.drop()
  return { exchanges: present(events, beganAtMs), broken, failure }
}

type Answered = (outcome: NonNullable<Call['outcome']>) => void

function recordedCalls(
  calls: Calls<LedgerServiceServer>,
  began: (method: string, request: unknown) => Answered,
): Calls<LedgerServiceServer> {
  const methods = Object.keys(ledgerCallers('ke')) as (keyof Calls<LedgerServiceServer>)[]
  const entries = methods.map((method) => {
    const ask = calls[method] as (request: unknown) => Promise<unknown>
    const askAndRecord = async (request: unknown) => {
      const answered = began(method, request)
      return askPatiently(() => ask(request)).then(
        (response) => {
          answered({ response })
          return response
        },
        (error: unknown) => {
          answered({ fault: readFault(error) })
          throw error
        },
      )
    }
    return [method, askAndRecord] as const
  })
  // The cast is safe: each entry calls the method of its name, which the type of entries cannot express.
  return Object.fromEntries(entries) as unknown as Calls<LedgerServiceServer>
}

/** How often a call is made at most: a ledger on a busy machine refuses calls, which no scenario is about. */
const triesMax = 3

async function askPatiently(ask: () => Promise<unknown>, tries = 1): Promise<unknown> {
  return ask().catch((error: unknown) => {
    const isBusy = error instanceof Fault && error.reason === 'ledger_unavailable'
    if (!isBusy || tries === triesMax) throw error
    return askPatiently(ask, tries + 1)
  })
}

function readFault(error: unknown): unknown {
  if (!(error instanceof Fault)) return { error: String(error) }
  const { retry_after_seconds: retryAfterSeconds, ...facts } = error.facts
  const details = (error.cause as { readonly details?: unknown } | undefined)?.details
  return {
    reason: error.reason,
    facts:
      typeof retryAfterSeconds === 'number'
        ? { ...facts, retry_after_minutes: Math.ceil(retryAfterSeconds / 60) }
        : facts,
    details,
  }
}

/** The events as they are recorded: names instead of ids, minutes instead of times. */
function present(events: readonly Event[], beganAtMs: number): readonly unknown[] {
  const name = openNames()
  return events.map((event) => {
    if ('passed' in event) return { passed: `${String(event.passed)} s` }
    if ('note' in event) {
      return { note: event.note, seen: toJson(event.seen, { name, began: beganAtMs }) }
    }
    const { method, by, request, outcome, passedMs } = event
    const began = beganAtMs - passedMs
    return {
      method,
      ...(by !== undefined && { by: name(by) }),
      request: toJson(request, { name, began }),
      ...outcomeToJson(outcome, { name, began }),
    }
  })
}

function outcomeToJson(outcome: Call['outcome'], naming: Naming): object {
  if (outcome === undefined) return { unanswered: true }
  return 'fault' in outcome
    ? { fault: toJson(outcome.fault, naming) }
    : { response: toJson(outcome.response, naming) }
}

interface Naming {
  readonly name: (text: string) => string
  readonly began: number
}

function toJson(value: unknown, naming: Naming): unknown {
  if (value === undefined || value === null) return null
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return naming.name(value)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (value instanceof Date) return nameTime(value, naming.began)
  if (value instanceof Uint8Array) return bytesToJson(Buffer.from(value), naming)
  if (Array.isArray(value)) return value.map((item) => toJson(item, naming))
  const entries = Object.entries(value).map(([key, item]: [string, unknown]) => [
    key,
    // The seconds that a card page has left are rounded up to minutes, so that a slow machine records the same.
    key === 'lifeSeconds' && typeof item === 'number'
      ? Math.ceil(item / 60) * 60
      : toJson(item, naming),
  ])
  return Object.fromEntries(entries)
}

/** Writes printable ASCII as text, and other bytes in hex digits. */
function bytesToJson(bytes: Buffer, { name }: Naming): object {
  const text = bytes.toString()
  return /^[\x20-\x7e]*$/.test(text) ? { text: name(text) } : { hex: name(bytes.toString('hex')) }
}
