import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { type OpenSpan, type SpanOptions, startSpan, type Trace } from './tracing'

const traceparentShape = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/
const requestIdShape = /^[A-Za-z0-9._-]{1,64}$/

/** The ids of what the current work is about, by name: `intentId`, `checkoutId`, `messageId`. */
export type Subject = Readonly<Record<string, string | undefined>>

interface Work {
  readonly trace: Trace
  /** Shared by the work and the spans within it. */
  readonly about: { subject: Subject }
}

const storage = new AsyncLocalStorage<Work>()

/** Continues the trace of a call or a job of ours, or begins one. Malformed values are replaced. */
export function continueTrace(incoming: { requestId?: string; traceparent?: string }): Trace {
  const parent = traceparentShape.exec(incoming.traceparent ?? '')
  const requestId =
    incoming.requestId !== undefined && requestIdShape.test(incoming.requestId)
      ? incoming.requestId
      : randomUUID()
  if (parent) return { requestId, traceparent: parent[0] }
  const traceparent = `00-${randomHex()}-${randomHex().slice(16)}-00`
  return { requestId, traceparent, isNew: true }
}

/** The trace of a public caller, for the link of a span. A malformed value is left out. */
export function linkOf(traceparent = ''): string | undefined {
  return traceparentShape.exec(traceparent)?.[0]
}

/** 32 hex digits. Node draws the bytes of UUIDs in advance, which costs a third of drawing them for each id. */
const randomHex = () => randomUUID().replaceAll('-', '')

/** Runs `work` so that its logs and outgoing calls carry `trace`. */
export function withTrace<Result>(trace: Trace, work: () => Result): Result {
  return storage.run({ trace, about: { subject: {} } }, work)
}

/** Runs `work` in a span of the current trace. `isError` decides whether a result is a failure. */
export async function withSpan<Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
  isError: (result: Result) => boolean = () => false,
): Promise<Result> {
  const outer = storage.getStore()
  const span = startSpan(name, outer?.trace, options)
  const { traceparent } = span
  if (traceparent === undefined || outer === undefined) return work()
  const { requestId } = outer.trace
  const { about } = outer
  try {
    const result = await storage.run({ trace: { requestId, traceparent }, about }, work)
    span.end({ isError: isError(result), attributes: attributesOf(about.subject) })
    return result
  } catch (error) {
    span.end({ isError: true, attributes: attributesOf(about.subject) })
    throw error
  }
}

/**
 * Begins a span of the current trace that gets no child spans, such as that of an SQL statement. The caller ends it.
 */
export function openSpan(name: string, options: SpanOptions): OpenSpan {
  return startSpan(name, storage.getStore()?.trace, options)
}

/** The ids of a span's subject, named as in the log, so that a trace is found by the same ids as its log lines. */
function attributesOf(subject: Subject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(subject).flatMap(([name, id]) => (id === undefined ? [] : [[name, id]])),
  )
}

/**
 * Runs `work` in the earlier trace of its subject, and links the current trace: the work on a callback belongs to the
 * trace of its payment. Without `traceparent` the work stays in the current trace.
 */
export async function resumeTrace<Result>(
  name: string,
  traceparent: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const outer = storage.getStore()
  if (traceparent === undefined || outer === undefined) return work()
  const link = outer.trace.traceparent
  if (traceIdOf(traceparent) === traceIdOf(link)) return work()
  const trace = continueTrace({ requestId: outer.trace.requestId, traceparent })
  return storage.run({ trace, about: outer.about }, () =>
    withSpan(name, { kind: 'CONSUMER', link }, work),
  )
}

/** The current trace, to be stored with work that is continued later; undefined unless its spans are exported. */
export function keptTrace(): string | undefined {
  const traceparent = storage.getStore()?.trace.traceparent
  return traceparent?.endsWith('-01') === true ? traceparent : undefined
}

function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35)
}

/** The current trace; a new one outside of any work. */
export function currentTrace(): Trace {
  return storage.getStore()?.trace ?? continueTrace({})
}

/**
 * Adds ids of the current work's subject, as soon as they are known: all later log lines have them, so that the lines
 * of one payment are found by one id. Log lines, spans and calls to other services carry the ids; metrics do not.
 */
export function noteSubject(subject: Subject): void {
  const work = storage.getStore()
  if (work) work.about.subject = { ...work.about.subject, ...subject }
}

/** The ids passed on with a call, so that the called process logs them too. */
const passedOn = ['checkoutId', 'intentId', 'messageId', 'refundId', 'deliveryId'] as const
const idShape = /^\w{1,64}$/

const isPassedOn = (name: string) => (passedOn as readonly string[]).includes(name)

/** The subject ids as call metadata: `intentId=pi_1&messageId=pm_1`. */
export function subjectForCall(): string {
  const subject = storage.getStore()?.about.subject ?? {}
  let passed = ''
  for (const name of passedOn) {
    const id = subject[name]
    if (id !== undefined && idShape.test(id)) passed += `${passed && '&'}${name}=${id}`
  }
  return passed
}

/** Parses what `subjectForCall` wrote. It drops unknown names and malformed values: no caller writes into our log. */
export function subjectOfCall(text: string): Subject {
  const subject: Record<string, string> = {}
  for (const named of text.split('&')) {
    const [name = '', id = ''] = named.split('=', 2)
    if (isPassedOn(name) && idShape.test(id)) subject[name] ??= id
  }
  return subject
}

/** The fields of every log line. */
export function workForLog(): object {
  const work = storage.getStore()
  if (work === undefined) return {}
  const { requestId, traceparent } = work.trace
  return { requestId, traceId: traceIdOf(traceparent), ...work.about.subject }
}
