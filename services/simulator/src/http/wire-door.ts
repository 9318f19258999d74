import { httpDuration } from '@malipo/runtime/metrics'
import express, { type Request, type RequestHandler, type Response } from 'express'
import type { Understood, WireAnswer } from '../domain/rail'
import { applyRules } from '../domain/world'
import { cutOff } from '../rails/call-back'
import type { Served, Simulation, Stage } from '../rails/stage'
import { spoilingOf, type Spoiling } from './spoiling'

/** Whatever the content type: what a missing one means is the provider's to say. Its bodies are a few hundred bytes. */
const readJson: RequestHandler = express.json({ type: () => true, strict: false, limit: '16kb' })

/**
 * Where providers are called. Serves every path of every rail of the simulation at hand, and does to the answers
 * what the rules say; what is no provider's path goes on to the next handler.
 */
export function wireDoor(stage: Stage): RequestHandler {
  return (request, response, next) => {
    const simulation = stage.current()
    const served = simulation.servedAt(request.path)
    if (served?.operation.method !== request.method) {
      const stray = strayAnswer(simulation, request.path, served !== undefined)
      if (stray === undefined) next()
      else send(response, stray)
      return
    }
    const end = httpDuration.startTimer({ route: served.operation.path })
    response.once('close', () => {
      end({ status: String(response.statusCode) })
    })
    readJson(request, response, (problem: unknown) => {
      const understood = understand(served, request, problem === undefined)
      if (understood.kind === 'understood') perform(simulation, served, understood, response)
      else refuse(simulation, served, understood, response)
    })
  }
}

function strayAnswer({ rails }: Simulation, path: string, isKnownPath: boolean) {
  return rails.map((rail) => rail.stray(path, isKnownPath)).find((answer) => answer !== undefined)
}

function understand({ operation, params }: Served, request: Request, isJson: boolean): Understood {
  const { headers, query } = request
  const json: unknown = isJson ? request.body : undefined
  return operation.understand({ headers, query, params, json })
}

type Refused = Extract<Understood, { readonly kind: 'refused' }>

function refuse({ world }: Simulation, served: Served, refused: Refused, response: Response): void {
  world.events.append('request_refused', { path: served.operation.path, why: refused.why })
  send(response, refused.answer)
}

/** Carries the call out, unless a rule stands before it, and answers when and how the rules say. */
function perform(
  { world }: Simulation,
  { operation, rail }: Served,
  understood: Exclude<Understood, Refused>,
  response: Response,
): void {
  const spoiling = spoilingOf(applyRules(world, operation.moment, understood.facets))
  const performed = spoiling.performed ? understood.perform(spoiling.lie) : undefined
  const answer =
    performed !== undefined && spoiling.error === undefined
      ? performed.answer
      : rail.errorAnswer(spoiling.error ?? 'internal')
  const finish = () => {
    sendBroken(response, answer, spoiling.breaking)
  }
  const finishLater = () => {
    if (spoiling.delayMs === 0) finish()
    else world.time.after(spoiling.delayMs, finish)
  }
  if (spoiling.early && performed?.whenCalledBack) performed.whenCalledBack(finishLater)
  else finishLater()
}

function sendBroken(response: Response, answer: WireAnswer, breaking: Spoiling['breaking']): void {
  switch (breaking) {
    case 'drop':
      // The caller waits until it gives up; the socket goes with it, or with this process.
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'malformed':
      send(response, { ...answer, body: cutOff(answer.body) })
      return
    case undefined:
      send(response, answer)
  }
}

function send(response: Response, answer: WireAnswer): void {
  response
    .writeHead(answer.status, {
      'content-type': answer.contentType,
      'content-length': Buffer.byteLength(answer.body),
    })
    .end(answer.body)
}
