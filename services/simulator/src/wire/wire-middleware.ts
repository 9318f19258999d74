import type { IncomingMessage } from 'node:http'
import type { Log } from '@malipo/runtime/log'
import { httpDuration } from '@malipo/runtime/metrics'
import express, { type Request, type RequestHandler, type Response } from 'express'
import type { WireAnswer } from '../providers/rules/rail'
import { cutOff } from '../providers/call-back'
import type { Sessions } from '../sessions/sessions'
import type { Served, Simulation } from '../sessions/simulation-host'
import { playCall, type Played } from './play-call'
import { namedSession } from './session-middleware'
import type { SimulatedTime } from '../clock/rules/clock'

const bodies = new WeakMap<IncomingMessage, string>()

/** Parses JSON of any content type, because most providers ignore the type: only Daraja's push and query require it. */
const readJson: RequestHandler = express.json({
  type: () => true,
  strict: false,
  limit: '16kb',
  verify(request, _response, bytes) {
    bodies.set(request, bytes.toString())
  },
})

/**
 * The providers' APIs. Serves every path of every rail in the session that the request names, or that claims one of
 * its values, and applies the rules to the answers; other paths go to the next handler.
 */
export function wireMiddleware(sessions: Sessions, log: Log): RequestHandler {
  return (request, response, next) => {
    const host = namedSession(request)?.host
    const simulation = (host ?? sessions.home).current()
    const served = simulation.servedAt(request.path, request.method)
    if (served?.operation.method !== request.method) {
      const stray = refuseStray(simulation, request, served !== undefined)
      if (stray === undefined) next()
      else send(response, stray)
      return
    }
    if (host !== undefined) sessions.setApart(host)
    const end = httpDuration.startTimer({ route: served.operation.path })
    response.once('close', () => {
      end({ status: String(response.statusCode) })
    })
    readJson(request, response, (problem: unknown) => {
      const json: unknown = problem === undefined ? request.body : undefined
      try {
        const owner = host ?? sessions.claimantOf(valuesOf(request, served.params, json))
        take(owner.current(), request, response, json)
      } catch (error) {
        // Nothing above this callback catches, so a fault in one call would end every session.
        log.error({ error }, 'a call failed')
        if (!response.headersSent) send(response, served.rail.errorAnswer('internal'))
      }
    })
  }
}

function take(simulation: Simulation, request: Request, response: Response, json: unknown): void {
  const served = simulation.servedAt(request.path, request.method)
  if (served === undefined) return
  const { world } = simulation
  const startedAtMs = world.wallNow()
  const played = playCall(simulation, served, {
    call: callOf(request, served, json),
    raw: rawOf(request),
  })
  played.whenDue(() => {
    const isSent = sendSpoiled(simulation, response, played)
    const { status, body } = played.answer
    const tookMs = Math.round(world.wallNow() - startedAtMs)
    played.record(isSent ? { status, body } : undefined, tookMs)
  })
}

function callOf(request: Request, { params }: Served, json: unknown) {
  const { headers, query } = request
  return { headers, query, params, json, body: bodies.get(request) ?? '' }
}

function rawOf(request: Request) {
  const { method, url: target, headers } = request
  return { method, target, headers, body: bodies.get(request) ?? '' }
}

/** False when the caller gets no answer. */
function sendSpoiled(simulation: Simulation, response: Response, played: Played): boolean {
  const { answer, spoiling } = played
  switch (spoiling.breaking) {
    case 'drop':
      // The socket stays open until the caller gives up or this process ends.
      return false
    case 'reset':
      response.socket?.resetAndDestroy()
      return false
    case 'malformed':
      send(response, { ...answer, body: cutOff(answer.body) })
      return true
    case undefined:
      if (spoiling.dripMs === 0) send(response, answer)
      else drip(simulation.world.time, response, answer, spoiling.dripMs)
      return true
  }
}

function send(response: Response, answer: WireAnswer): void {
  response
    .writeHead(answer.status, {
      ...answer.headers,
      'content-type': answer.contentType,
      'content-length': Buffer.byteLength(answer.body),
    })
    .end(answer.body)
}

/** Deep enough for every provider's bodies; deeper values are not searched. */
const depthMax = 3

/** All values of a call by which a session may claim the call: from the path, the reference header and the body. */
function* valuesOf(
  request: Request,
  params: Readonly<Record<string, string>>,
  json: unknown,
): Iterable<string> {
  yield* Object.values(params)
  yield request.get('x-reference-id')?.toLowerCase() ?? ''
  yield* leavesOf(json, depthMax)
}

function* leavesOf(value: unknown, depth: number): Iterable<string> {
  if (typeof value === 'string' || typeof value === 'number') yield String(value)
  else if (typeof value === 'object' && value !== null && depth > 0) {
    for (const part of Object.values(value) as unknown[]) yield* leavesOf(part, depth - 1)
  }
}

const drops = 20

/** Sends the head at once and the body slowly, so that the caller sees an answer that does not end. */
function drip(time: SimulatedTime, response: Response, answer: WireAnswer, ms: number): void {
  const bytes = Buffer.from(answer.body)
  response.writeHead(answer.status, {
    'content-type': answer.contentType,
    'content-length': bytes.length,
  })
  response.flushHeaders()
  const size = Math.ceil(bytes.length / drops)
  const sendFrom = (start: number) => {
    if (start >= bytes.length) {
      response.end()
      return
    }
    response.write(bytes.subarray(start, start + size))
    time.after(ms / drops, () => {
      sendFrom(start + size)
    })
  }
  sendFrom(0)
}

/** Paths are cut to this length in events and in the search for the nearest call: no typo of a client is longer. */
const shownMax = 120

/**
 * Answers an unknown path or method as its provider would, and names the nearest known call, so that a tester sees a
 * typo at once. Undefined when the path belongs to no provider.
 */
function refuseStray(
  simulation: Simulation,
  request: Request,
  isKnownPath: boolean,
): WireAnswer | undefined {
  const { rails, world } = simulation
  for (const rail of rails) {
    const answer = rail.stray(request.path, isKnownPath)
    if (answer === undefined) continue
    const { method, url: target, headers } = request
    const calls = rail.operations.map((operation) => `${operation.method} ${operation.path}`)
    world.events.append(
      'request_refused',
      {
        call: `${method} ${request.path.slice(0, shownMax)}`,
        why: isKnownPath ? 'wrong method' : 'no such path',
        near: nearest(`${method} ${request.path.slice(0, shownMax)}`, calls),
        status: answer.status,
      },
      { direction: 'in', method, target, headers, body: '', answer },
    )
    return answer
  }
  return undefined
}

function nearest(wanted: string, calls: readonly string[]): string {
  const distances = calls.map((call) => ({ call, steps: stepsBetween(wanted, call) }))
  return distances.sort((one, other) => one.steps - other.steps)[0]?.call ?? ''
}

/** The edit distance of two texts (Levenshtein). */
function stepsBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const changed = (above[column - 1] ?? 0) + (isSame ? 0 : 1)
      line.push(Math.min(changed, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1))
    }
    above = line
  }
  return above[other.length] ?? 0
}
