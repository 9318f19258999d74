import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '@malipo/runtime/clock'
import { z } from 'zod'
import { refusalShape } from '../control-api/control-route'
import { parseJson } from '../wire/parse-json'
import { namesRealProvider } from '../providers/rules/real-providers'
import { differenceOf } from './rules/difference'
import { fill } from './rules/variables'
import type { Step } from './scenario-file'

/** What the steps of one scenario share. */
export interface ScenarioState {
  readonly simulatorUrl: string
  readonly clock: Clock
  readonly variables: Map<string, string>
  /** The event and the row of the book after which the scenario began. */
  readonly sinceEvent: number
  readonly sinceRow: number
}

/** Runs one step. Returns what is wrong, if anything is. */
export async function runStep(state: ScenarioState, step: Step): Promise<string | undefined> {
  const filled = fill(step, state.variables)
  if (filled.kind === 'unknown') {
    return `no value for \${${filled.name}}: set it in the environment, or save it in a step before`
  }
  const entries = Object.entries(filled.value as Step)
  for (const [name, given] of entries) {
    const run = runners[name as keyof Step] as (state: ScenarioState, given: unknown) => Ran
    const problem = await run(state, given).catch(reasonOf)
    if (problem !== undefined) return `${name}: ${problem}`
  }
  return undefined
}

/** What an error says; `fetch` puts its reason into the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

type Ran = Promise<string | undefined>
type Given<Name extends keyof Step> = NonNullable<Step[Name]>

const runners: {
  readonly [Name in keyof Step]-?: (state: ScenarioState, given: Given<Name>) => Ran
} = {
  phone: (state, phone) => control(state, 'POST', '/phones', phone),
  policy: (state, { msisdn, ...policy }) =>
    control(state, 'PUT', `/phones/${msisdn}/policy`, policy),
  rule: (state, rule) => control(state, 'POST', '/rules', rule),
  pack: (state, pack) => {
    const { name, when = {} } = typeof pack === 'string' ? { name: pack } : pack
    return control(state, 'POST', `/packs/${encodeURIComponent(name)}`, { when })
  },
  clock: (state, change) => control(state, 'POST', '/clock', change),
  call: runCall,
  answer: answerPrompt,
  pay_bill: payBill,
  buy_goods: (state, { msisdn, ...typed }) =>
    control(state, 'POST', `/phones/${msisdn}/buy-goods`, typed),
  expect: expectEvent,
  book: expectBook,
}

interface Answered {
  readonly status: number
  readonly body: unknown
}

/** The timeout of a call: a little more than the longest wait of the control API. */
const answerDeadlineMs = 40_000

async function ask(
  state: ScenarioState,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answered> {
  const response = await fetch(`${state.simulatorUrl}/sim/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerDeadlineMs),
  })
  return { status: response.status, body: await response.json() }
}

async function control(state: ScenarioState, method: string, path: string, body: unknown): Ran {
  const answer = await ask(state, method, path, body)
  return answer.status < 300 ? undefined : refusalOf(answer)
}

function refusalOf({ body }: Answered): string {
  const { message, problems = [] } = refusalShape.parse(body)
  return [...problems.map((problem) => `${problem.path}: ${problem.message}`), message].join('. ')
}

const promptedShape = z.object({ prompt: z.unknown() })

async function answerPrompt(state: ScenarioState, given: Given<'answer'>): Ran {
  const { msisdn, within_ms: within, ...answer } = given
  const problem = await eventually(state, within, async () => {
    const { status, body } = await ask(state, 'GET', `/phones/${msisdn}`)
    if (status !== 200) return refusalOf({ status, body })
    return promptedShape.parse(body).prompt === null
      ? `no prompt on ${msisdn} within ${String(within)} ms`
      : undefined
  })
  return problem ?? control(state, 'POST', `/phones/${msisdn}/prompt`, answer)
}

async function payBill(state: ScenarioState, given: Given<'pay_bill'>): Ran {
  const { msisdn, refused, ...typed } = given
  const answer = await ask(state, 'POST', `/phones/${msisdn}/paybill`, typed)
  const isPaid = answer.status < 300
  if (refused === undefined) return isPaid ? undefined : refusalOf(answer)
  if (isPaid) return `it was paid, expected ${refused}`
  const why = refusalOf(answer)
  return why.includes(refused) ? undefined : `refused for another reason: ${why}`
}

const expectedShape = z.object({
  met: z.boolean(),
  events: z.array(z.unknown()),
  near: z.array(z.object({ facts: z.record(z.string(), z.unknown()) })),
})

async function expectEvent(state: ScenarioState, given: Given<'expect'>): Ran {
  const { event: kind, within_ms: within, ...others } = given
  const wanted = { kind, within_ms: within, since: state.sinceEvent, ...others }
  const answer = await ask(state, 'POST', '/expect', wanted)
  if (answer.status !== 200) return refusalOf(answer)
  const { met, events, near } = expectedShape.parse(answer.body)
  if (met) return undefined
  const last = near.at(-1)
  const nearest = last === undefined ? '' : `; nearest: ${JSON.stringify(last.facts)}`
  return `${String(events.length)} of ${String(given.count)} events ${kind} with ${JSON.stringify(given.facts)} within ${String(within)} ms${nearest}`
}

/** A movement is in the book before its event is reported, so the book needs no wait. */
async function expectBook(state: ScenarioState, rows: Given<'book'>): Ran {
  const answer = await ask(state, 'GET', `/book?since=${String(state.sinceRow)}`)
  return differenceOf(rows, answer.body, 'book')
}

async function runCall(state: ScenarioState, call: Given<'call'>): Ran {
  if (namesRealProvider(call.url)) return `${call.url} is a real provider, and a scenario is a test`
  return eventually(state, call.within_ms, async () => {
    const answer = await send(call)
    if (typeof answer === 'string') return answer
    const problem = problemOf(call, answer) ?? save(state, call, answer)
    // Only a GET is safe to repeat; any other call is repeated only while nothing listens.
    if (problem !== undefined && call.method !== 'GET') throw new Error(problem)
    return problem
  })
}

/** Without a whole answer, returns the reason if the call may be sent again, and otherwise throws the reason. */
async function send(call: Given<'call'>): Promise<Answered | string> {
  const { url, method, headers, body } = call
  return fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerDeadlineMs),
  })
    .then(async (response) => {
      const text = await response.text()
      return { status: response.status, body: parseJson(text) ?? text }
    })
    .catch((error: unknown) => unansweredProblem(call, error))
}

function unansweredProblem({ method, url }: Given<'call'>, error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  const isRefused = cause instanceof Error && Reflect.get(cause, 'code') === 'ECONNREFUSED'
  const problem = `${method} ${url}: ${isRefused ? 'nothing listens there' : reasonOf(error)}`
  // After any other error the request may have been received.
  if (method !== 'GET' && !isRefused) throw new Error(problem)
  return problem
}

function problemOf({ method, url, expect }: Given<'call'>, { status, body }: Answered) {
  const isExpected =
    expect.status === undefined ? status >= 200 && status < 300 : status === expect.status
  const answered = `${method} ${url} was answered ${String(status)}`
  if (!isExpected) return `${answered}: ${JSON.stringify(body).slice(0, 400)}`
  const difference = expect.body === undefined ? undefined : differenceOf(expect.body, body, 'body')
  return difference && `${answered}, and ${difference}`
}

function save(state: ScenarioState, call: Given<'call'>, { body }: Answered): string | undefined {
  for (const [name, path] of Object.entries(call.save)) {
    const value = path
      .split('.')
      .reduce<unknown>((at, part) => (Object(at) === at ? Reflect.get(Object(at), part) : at), body)
    if (typeof value !== 'string' && typeof value !== 'number') {
      return `the answer has no text or number at ${path}`
    }
    state.variables.set(name, String(value))
  }
  return undefined
}

const everyMs = 50

async function eventually(
  { clock }: ScenarioState,
  withinMs: number,
  check: () => Promise<string | undefined>,
): Ran {
  const untilMs = clock.now() + withinMs
  for (;;) {
    const problem = await check()
    if (problem === undefined || clock.now() >= untilMs) return problem
    await pause(everyMs)
  }
}
