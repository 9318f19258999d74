import type { IncomingMessage } from 'node:http'
import { httpDuration } from '@malipo/runtime/metrics'
import express, { type Request, type RequestHandler, type Response } from 'express'
import type { WireAnswer } from '../providers/rules/rail'
import { cutOff } from '../providers/call-back'
import type { Sessions } from '../sessions/sessions'
import type { Served, Simulation } from '../sessions/simulation-host'
import { valuesOf } from './claimed-values'
import { playCall, type Played } from './play-call'
import { refuseStray } from './refuse-stray'
import { namedSession } from './session-middleware'
import { drip } from './drip'

const bodies = new WeakMap<IncomingMessage, string>()

/** Parses JSON with any content type, because each provider decides what a missing one means. */
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
export function wireMiddleware(sessions: Sessions): RequestHandler {
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
      const owner = host ?? sessions.claimantOf(valuesOf(request, served.params, json))
      take(owner.current(), request, response, json)
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
