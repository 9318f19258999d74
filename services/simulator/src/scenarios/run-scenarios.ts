import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '@malipo/runtime/clock'
import { z } from 'zod'
import type { Failure, Result } from './rules/junit'
import { runStep, type ScenarioState } from './run-step'
import { readScenario, type Scenario } from './scenario-file'

export interface ScenarioFile {
  readonly file: string
  readonly text: string
}

export interface Run {
  readonly simulatorUrl: string
  /** The values of `${NAME}`. */
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly ended: (result: Result) => void
}

/** The problem of each file that cannot be run, with its line. */
export function problemsOf(files: readonly ScenarioFile[]): readonly string[] {
  return files.flatMap(({ file, text }) => {
    const read = readScenario(text)
    return read.kind === 'wrong' ? [`${file}:${String(read.line)}: ${read.message}`] : []
  })
}

/** Runs scenarios one after another, because they share the home session: each begins with a reset of it. */
export async function runScenarios(
  files: readonly ScenarioFile[],
  run: Run,
): Promise<readonly Result[]> {
  const receiver = await openReceiver()
  const [ran] = await Promise.allSettled([runEach(files, run, receiver.url)])
  await receiver.stop()
  if (ran.status === 'rejected') throw ran.reason
  return ran.value
}

async function runEach(
  files: readonly ScenarioFile[],
  run: Run,
  callbackUrl: string,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const { file, text } of files) {
    const read = readScenario(text)
    if (read.kind === 'wrong') throw new Error(`${file}:${String(read.line)}: ${read.message}`)
    const startedAtMs = run.clock.now()
    const failure = await play(read.scenario, run, callbackUrl)
    const tookMs = run.clock.now() - startedAtMs
    const result = { file, name: read.scenario.name, tookMs, failure }
    results.push(result)
    run.ended(result)
  }
  return results
}

async function play(
  { seed, steps }: Scenario,
  run: Run,
  callbackUrl: string,
): Promise<Failure | undefined> {
  const state = await begin(run, seed, callbackUrl)
  for (const { line, step } of steps) {
    const message = await runStep(state, step)
    if (message !== undefined) return { line, message }
  }
  return undefined
}

async function begin(
  { simulatorUrl, variables, clock }: Run,
  seed: string | undefined,
  callbackUrl: string,
): Promise<ScenarioState> {
  const reset = await fetch(`${simulatorUrl}/sim/v1/reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seed }),
  })
  const answer = await reset.text()
  if (!reset.ok) throw new Error(`${reset.url} was answered ${String(reset.status)}: ${answer}`)
  const meta = metaShape.parse(await (await fetch(`${simulatorUrl}/sim/v1/meta`)).json())
  const known = Object.entries<string | undefined>({
    ...variables,
    ...signedBy(variables),
    SIMULATOR_URL: simulatorUrl,
    CALLBACK_URL: callbackUrl,
  })
  return {
    simulatorUrl,
    clock,
    variables: new Map(
      known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    sinceEvent: meta.last_event,
    sinceRow: meta.book.rows,
  }
}

const metaShape = z.object({ last_event: z.int(), book: z.object({ rows: z.int() }) })

const timestamp = '20261120142501'

/** The variables with which a scenario signs its own calls to Daraja. */
function signedBy(variables: Run['variables']): Readonly<Record<string, string>> {
  const text = (name: string) => variables[name] ?? ''
  const base64 = (value: string) => Buffer.from(value).toString('base64')
  return {
    MPESA_BASIC: base64(`${text('MPESA_CONSUMER_KEY')}:${text('MPESA_CONSUMER_SECRET')}`),
    MPESA_TIMESTAMP: timestamp,
    MPESA_PASSWORD: base64(text('MPESA_SHORTCODE') + text('MPESA_PASSKEY') + timestamp),
  }
}

/** An address that takes every callback, for scenarios without a shop. */
async function openReceiver() {
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"ResultCode":0,"ResultDesc":"Accepted"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}/callback`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
