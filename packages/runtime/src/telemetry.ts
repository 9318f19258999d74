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

/** The ids of the work's subject, named as in decisions: `intentId`, `checkoutId`, `messageId`. */
export type Subject = Readonly<Record<string, string | undefined>>

interface Work {
  readonly trace: Trace
  subject: Subject
}

const storage = new AsyncLocalStorage<Work>()

/** Continues the trace of a request, or begins one. Malformed values are replaced. */
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

/** The current trace; a new one outside of any work. */
export function currentTrace(): Trace {
  return storage.getStore()?.trace ?? continueTrace({})
}

/**
 * Adds ids of the current work's subject, as soon as they are known: all later log lines have them, so that the lines
 * of one payment are found by one id. Only the log reads them.
 */
export function noteSubject(subject: Subject): void {
  const work = storage.getStore()
  if (work) work.subject = { ...work.subject, ...subject }
}

/** The ids passed on with a call, so that the called process logs them too. */
const passedOn = ['checkoutId', 'intentId', 'messageId', 'refundId', 'deliveryId'] as const
const idShape = /^\w{1,64}$/

/** The subject ids as call metadata: `intentId=pi_1&messageId=pm_1`. */
export function subjectForCall(): string {
  const subject = storage.getStore()?.subject ?? {}
  const passed = new URLSearchParams()
  for (const name of passedOn) {
    const id = subject[name]
    if (id !== undefined) passed.set(name, id)
  }
  return passed.toString()
}

/** Parses that metadata. Unknown names and malformed values are dropped, so that a caller cannot write into our log. */
export function subjectOfCall(text: string): Subject {
  const given = new URLSearchParams(text)
  const named = passedOn.flatMap((name) => {
    const id = given.get(name)
    return id !== null && idShape.test(id) ? [[name, id] as const] : []
  })
  return Object.fromEntries(named)
}

/** The fields of every log line. */
export function workForLog(): object {
  const work = storage.getStore()
  if (work === undefined) return {}
  const { requestId, traceparent } = work.trace
  return { requestId, traceId: traceparent.slice(3, 35), ...work.subject }
}
