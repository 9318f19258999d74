import { AsyncResource } from 'node:async_hooks'
import {
  type Client,
  type ClientDuplexStream,
  Metadata,
  type ServiceError,
  status,
  type StatusObject,
} from '@grpc/grpc-js'
import {
  type Call,
  type CallFailure,
  CallServiceService,
  type CarryRequest,
  type CarryResponse,
} from '@malipo/contracts/proto/calls/v1/call_service'
import { envelopeBytes, openBatch } from './call-batch'
import { systemClock } from './clock'
import { contextOf } from './call-context'
import { errorFrom } from './grpc-fault'
import { graceMs, waitOf } from './waits'

/**
 * A further stream is begun `soonMs` after a replica was found or lost, and then at twice the interval each time, up to
 * `renewEveryMs`. That renews each stream before its connection is too old, and finds new replicas.
 */
const soonMs = 100
const renewEveryMs = 5_000
/** How long a server may take to send its greeting, the first message of a stream, which has the replica's id. */
const greetingMs = 2_000
/**
 * A replica is silent when it has answered nothing for this long although calls wait for it. Calls then go to replicas
 * that answer.
 */
const silentMs = 1_000
/** A larger request is sent as a unary call of gRPC, so that nothing waits behind it. */
const requestBytesMax = 16_384

export interface CarriedCall {
  readonly path: string
  readonly request: Buffer
  /** The same metadata that a unary call would have. */
  readonly metadata: Metadata
  /** Epoch milliseconds. */
  readonly deadline: number
  readonly deserialize: (response: Buffer) => unknown
  readonly done: (error: ServiceError | null, response: unknown) => void
}

/** Streams to every replica of a server, over which calls go in turn. */
export interface CallStreams {
  /** Returns false when no stream may take the call: it is then sent as a unary call. A sent call is not sent again. */
  send(call: CarriedCall): boolean
  close(): void
}

/** Opens streams from the first call on. A server of an earlier release, which has no streams, is tried again later. */
export function openCallStreams(client: Client): CallStreams {
  const streams: CallStream[] = []
  /**
   * How many new streams in a row reached a replica that already has a stream. Until this exceeds the number of
   * streams, a replica may still have no stream, so all calls are unary: over the streams it would get no calls.
   */
  let knownInARow = 0
  let turn = 0
  let isBegun = false
  let isClosed = false
  let beginning: CallStream | undefined
  let planned: NodeJS.Timeout | undefined
  let waitMs = soonMs
  // Without this, all later work would run in the async context of the first caller, and so in its trace.
  const context = new AsyncResource('CallStreams')

  const plan = (isSoon: boolean) => {
    if (isSoon) waitMs = soonMs
    clearTimeout(planned)
    planned = setTimeout(begin, waitMs).unref()
    waitMs = Math.min(waitMs * 2, renewEveryMs)
  }
  function begin(): void {
    if (isClosed || beginning !== undefined) return
    beginning = new CallStream(client, {
      greeted(stream, isDraining) {
        beginning = undefined
        const known = streams.findIndex(({ replica }) => replica === stream.replica)
        const isNew = known < 0 && !isDraining
        knownInARow = isNew ? 0 : knownInARow + 1
        plan(isNew)
        if (isClosed || isDraining) stream.retire()
        else if (isNew) streams.push(stream)
        else streams.splice(known, 1, stream)[0]?.retire()
      },
      drained(stream) {
        stream.retire()
        if (remove(streams, stream)) plan(true)
      },
      ended(stream) {
        if (beginning === stream) {
          // The stream could not be opened, or the server is of a release without streams.
          beginning = undefined
          knownInARow = 0
          plan(false)
        } else if (remove(streams, stream)) plan(true)
      },
    })
  }

  return {
    send(call) {
      if (!isBegun) context.runInAsyncScope(begin)
      isBegun = true
      if (knownInARow <= streams.length || call.request.length > requestBytesMax) return false
      turn += 1
      const stream = inTurn(streams, turn)
      stream?.send(call)
      return stream !== undefined
    },
    close() {
      isClosed = true
      clearTimeout(planned)
      beginning?.retire()
      for (const stream of streams.splice(0)) stream.retire()
    },
  }
}

/** The stream whose turn it is, or the next one that is not silent. If all are silent, the stream whose turn it is. */
function inTurn(streams: readonly CallStream[], turn: number): CallStream | undefined {
  for (let after = 0; after < streams.length; after += 1) {
    const stream = streams[(turn + after) % streams.length]
    if (stream?.isSilent() === false) return stream
  }
  return streams[turn % streams.length]
}

/** Removes a stream from the list; returns false when the list does not have it. */
function remove(streams: CallStream[], stream: CallStream): boolean {
  const at = streams.indexOf(stream)
  if (at >= 0) streams.splice(at, 1)
  return at >= 0
}

interface Listener {
  greeted(stream: CallStream, isDraining: boolean): void
  drained(stream: CallStream): void
  ended(stream: CallStream): void
}

interface Pending extends Pick<CarriedCall, 'deserialize' | 'done'> {
  readonly sentAtMs: number
  readonly expiry: NodeJS.Timeout
}

/** One stream, and the calls on it that have no answer yet. */
class CallStream {
  replica = ''
  readonly #duplex: ClientDuplexStream<CarryRequest, CarryResponse>
  readonly #pending = new Map<number, Pending>()
  readonly #batch = openBatch<Call>(
    ({ request }) => request.length + envelopeBytes,
    (calls) => {
      if (calls.length > 0) this.#write(calls)
    },
  )
  readonly #beganAtMs = performance.now()
  #heardAtMs = 0
  #lastId = 0
  #isRetired = false

  constructor(client: Client, listener: Listener) {
    const { path, requestSerialize, responseDeserialize } = CallServiceService.carry
    const duplex = client.makeBidiStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      new Metadata(),
    )
    this.#duplex = duplex
    const unanswered = setTimeout(() => {
      duplex.cancel()
    }, waitOf(greetingMs)).unref()
    duplex.on('data', ({ replica, isDraining, answers }: CarryResponse) => {
      this.#heardAtMs = performance.now()
      if (replica !== '') {
        clearTimeout(unanswered)
        this.replica = replica
        listener.greeted(this, isDraining)
      } else if (isDraining) listener.drained(this)
      for (const { id, outcome } of answers) {
        if (outcome?.$case === 'response') this.#answer(id, outcome.value)
        else this.#fail(id, outcome?.value ?? lost('an answer without an outcome'))
      }
    })
    // Each error also comes as a status, which is handled below; without a listener it would end the process.
    duplex.on('error', () => undefined)
    duplex.on('status', ({ code }: StatusObject) => {
      clearTimeout(unanswered)
      listener.ended(this)
      for (const id of this.#pending.keys())
        this.#fail(id, lost(`the stream of calls ended with status ${String(code)}`))
    })
    this.#write([])
  }

  send({ path, request, metadata, deadline, deserialize, done }: CarriedCall): void {
    const id = (this.#lastId += 1)
    const expiry = setTimeout(() => {
      this.#fail(id, lost('no answer came'))
    }, deadline - systemClock.now())
    this.#pending.set(id, { deserialize, done, expiry, sentAtMs: performance.now() })
    const remainingMs = Math.max(1, Math.ceil(deadline - graceMs - systemClock.now()))
    this.#batch.add({ id, path, request, remainingMs, ...contextOf(metadata) })
  }

  isSilent(): boolean {
    const [oldest] = this.#pending.values()
    if (oldest === undefined) return false
    return performance.now() - Math.max(oldest.sentAtMs, this.#heardAtMs) > waitOf(silentMs)
  }

  /** Called when the stream gets no more calls: it ends once each sent call has its answer. */
  retire(): void {
    this.#isRetired = true
    if (this.#pending.size === 0) this.#duplex.end()
  }

  #write(calls: Call[]): void {
    const sentMs = Math.floor(performance.now() - this.#beganAtMs)
    this.#duplex.write({ calls, sentMs })
  }

  #answer(id: number, bytes: Buffer): void {
    const pending = this.#take(id)
    let response: unknown
    try {
      response = pending?.deserialize(bytes)
    } catch (error) {
      pending?.done(errorFrom({ ...unreadable, details: String(error) }), undefined)
      return
    }
    pending?.done(null, response)
  }

  #fail(id: number, failure: CallFailure): void {
    this.#take(id)?.done(errorFrom(failure), undefined)
  }

  /** Removes and returns the call that waits with this id; undefined when the call has already ended. */
  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    clearTimeout(pending?.expiry)
    this.#pending.delete(id)
    if (this.#isRetired && this.#pending.size === 0) this.#duplex.end()
    return pending
  }
}

const unreadable = { code: status.INTERNAL, details: '', reason: '', facts: Buffer.alloc(0) }

/** The failure of a call that may have been performed or not. */
function lost(details: string): CallFailure {
  return { ...unreadable, code: status.UNAVAILABLE, details }
}
