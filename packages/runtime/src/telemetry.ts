import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes, randomUUID } from 'node:crypto'

/** Links the work of several processes to one request: our request id, and W3C Trace Context for tools. */
export interface Trace {
  readonly requestId: string
  /** W3C `traceparent`, version 00. */
  readonly traceparent: string
}

const traceparentShape = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/
const requestIdShape = /^[A-Za-z0-9._-]{1,64}$/

/** Ids of what a piece of work is about, by the names of decisions: `intentId`, `checkoutId`, `messageId`. */
export type Subject = Readonly<Record<string, string | undefined>>

interface Work {
  readonly trace: Trace
  subject: Subject
}

const storage = new AsyncLocalStorage<Work>()

/** Continues the trace that came in with a request, or begins one. Values of another shape are replaced. */
export function continueTrace(incoming: { requestId?: string; traceparent?: string }): Trace {
  const parent = traceparentShape.exec(incoming.traceparent ?? '')
  const traceId = parent?.[1] ?? randomBytes(16).toString('hex')
  return {
    requestId:
      incoming.requestId !== undefined && requestIdShape.test(incoming.requestId)
        ? incoming.requestId
        : randomUUID(),
    traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${parent?.[2] ?? '00'}`,
  }
}

/** Runs `work` so that its logs and outgoing calls carry `trace`. */
export function withTrace<Result>(trace: Trace, work: () => Result): Result {
  return storage.run({ trace, subject: {} }, work)
}

/** The trace of the work at hand; a new one outside of any. */
export function currentTrace(): Trace {
  return storage.getStore()?.trace ?? continueTrace({})
}

/**
 * Says what the work at hand is about, as soon as that is known: each line that it logs from now on has these ids, so
 * that all lines about one payment are found by one id. Nothing but the log reads them.
 */
export function noteSubject(subject: Subject): void {
  const work = storage.getStore()
  if (work) work.subject = { ...work.subject, ...subject }
}

/** The ids that a call passes on, so that the lines of the process it calls have them too. */
const passedOn = ['checkoutId', 'intentId', 'messageId', 'refundId', 'deliveryId'] as const
const idShape = /^\w{1,64}$/

/** What the work at hand is about, as the metadata of a call: `intentId=pi_1&messageId=pm_1`. */
export function subjectForCall(): string {
  const subject = storage.getStore()?.subject ?? {}
  const passed = new URLSearchParams()
  for (const name of passedOn) {
    const id = subject[name]
    if (id !== undefined) passed.set(name, id)
  }
  return passed.toString()
}

/** Reads that metadata. What has another name or shape is left out: a caller writes no lines of ours. */
export function subjectOfCall(text: string): Subject {
  const given = new URLSearchParams(text)
  const named = passedOn.flatMap((name) => {
    const id = given.get(name)
    return id !== null && idShape.test(id) ? [[name, id] as const] : []
  })
  return Object.fromEntries(named)
}

/** What every line says of the work at hand. */
export function workForLog(): object {
  const work = storage.getStore()
  if (work === undefined) return {}
  const { requestId, traceparent } = work.trace
  return { requestId, traceId: traceparent.slice(3, 35), ...work.subject }
}
