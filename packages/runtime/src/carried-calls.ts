import {
  type handleBidiStreamingCall,
  type ServerDuplexStream,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { randomUUID } from 'node:crypto'
import type {
  Call,
  CallAnswer,
  CarryRequest,
  CarryResponse,
} from '@malipo/contracts/proto/calls/v1/call_service'
import { type Caller, type Permissions, readCaller, refusals } from './caller-identity'
import { envelopeBytes, messageBytesMax, openBatch } from './call-batch'
import { failureFrom } from './grpc-fault'
import type { IncomingCall, openPerformer, Performed } from './perform-call'

interface Carried extends Pick<Performed, 'definition'> {
  readonly permissions: Permissions
  readonly perform: ReturnType<typeof openPerformer>
}

/** A stream asks to be renewed after this time, long before its connection ends (`serverOptions`). */
const streamAgeMs = 240_000
const none = Buffer.alloc(0)

type Carrying = ServerDuplexStream<CarryRequest, CarryResponse>

/** The server's side of the streams that carry calls. `drain` asks the clients to send their calls elsewhere. */
export function openCarrier(carried: Carried): {
  readonly carry: handleBidiStreamingCall<CarryRequest, CarryResponse>
  readonly drain: () => void
} {
  const replica = randomUUID()
  let isDraining = false
  const answerCall = openAnswerCall(carried)
  const streams = new Set<Carrying>()

  function carry(stream: Carrying): void {
    const caller = readCaller(stream.metadata)
    let underWay = 0
    let isEnded = false
    const latenessOf = openLateness()
    const aging = setTimeout(() => {
      if (stream.writable) stream.write({ replica: '', isDraining: true, answers: [] })
    }, streamAgeMs).unref()
    const answers = openBatch<CallAnswer>(sizeOfAnswer, (batch) => {
      if (stream.writable) stream.write({ replica: '', isDraining: false, answers: batch })
      if (isEnded && underWay === 0) stream.end()
    })
    streams.add(stream)
    stream.on('data', ({ calls, sentMs }: CarryRequest) => {
      const lateMs = latenessOf(sentMs)
      for (const call of calls) {
        underWay += 1
        const isOverdue = call.remainingMs > 0 && lateMs >= call.remainingMs
        answerCall({ ...call, isOverdue }, caller, (outcome) => {
          answers.add({ id: call.id, outcome })
          underWay -= 1
        })
      }
    })
    stream.on('end', () => {
      isEnded = true
      answers.flush()
    })
    // A broken connection needs no handling: its client notices it, and operations that have begun go on.
    stream.on('error', () => undefined)
    stream.on('close', () => {
      clearTimeout(aging)
      streams.delete(stream)
    })
    stream.write({ replica, isDraining, answers: [] })
  }

  return {
    carry,
    drain() {
      isDraining = true
      for (const stream of streams) stream.write({ replica: '', isDraining, answers: [] })
    },
  }
}

/**
 * Returns how much longer a message took than the quickest one of its stream. A message is late, for example, when this
 * process stood still as it arrived. Each time is measured on one machine, so the clocks of two machines need not
 * agree.
 */
function openLateness(): (sentMs: number) => number {
  let quickestMs = Infinity
  return (sentMs) => {
    const tookMs = performance.now() - sentMs
    quickestMs = Math.min(quickestMs, tookMs)
    return tookMs - quickestMs
  }
}

type Answer = (outcome: CallAnswer['outcome']) => void

/** Performs one call for the caller of its stream, if the caller may make it. */
function openAnswerCall({ definition, permissions, perform }: Carried) {
  const methods = new Map(
    Object.entries(definition).map(([name, method]) => [method.path, { ...method, name }]),
  )
  return (call: Call & Pick<IncomingCall, 'isOverdue'>, caller: Caller, answer: Answer): void => {
    const { path, requestId, traceparent, subject, isOverdue } = call
    const fail = (error: Partial<ServiceError>) => {
      const value = failureFrom(error)
      const isCarried = value.details.length + value.facts.length + envelopeBytes <= messageBytesMax
      answer({
        $case: 'failure',
        value: isCarried ? value : { ...value, details: '', facts: none },
      })
    }
    const failBroken = (error: unknown) => {
      fail({ code: status.INTERNAL, details: String(error) })
    }
    const method = methods.get(path)
    if (method === undefined) {
      fail({ code: status.UNIMPLEMENTED, details: 'there is no such method' })
      return
    }
    if (!permissions.isAllowed(caller, path)) {
      permissions.noteRefusal(caller, path, 'denied')
      fail(refusals.denied)
      return
    }
    orFail(failBroken, () => {
      const request = method.requestDeserialize(call.request) as object
      const context = { requestId, traceparent, subject }
      perform(
        { method: method.name, request, caller, isOverdue, ...context },
        (error, response) => {
          if (error) fail(error)
          else
            orFail(failBroken, () => {
              const value = method.responseSerialize(response)
              const isCarried = value.length + envelopeBytes <= messageBytesMax
              if (isCarried) answer({ $case: 'response', value })
              else fail({ code: status.RESOURCE_EXHAUSTED, details: 'the answer is too large' })
            })
        },
      )
    })
  }
}

/** A request or response that cannot be decoded or encoded fails its own call, and not all calls of its stream. */
function orFail(failed: (error: unknown) => void, work: () => void): void {
  try {
    work()
  } catch (error) {
    failed(error)
  }
}

function sizeOfAnswer({ outcome }: CallAnswer): number {
  if (outcome?.$case === 'response') return outcome.value.length + envelopeBytes
  return (outcome?.value.facts.length ?? 0) + (outcome?.value.details.length ?? 0) + envelopeBytes
}
