import { PassThrough } from 'node:stream'
import { readIntentId } from '@malipo/interface/fields'
import type { Answer } from '@malipo/runtime/answer'
import { openSlots, type Slots } from '@malipo/runtime/call-slots'
import type { Changes } from '@malipo/runtime/changes'
import { addressGroup, type ClientAddress } from '@malipo/runtime/client-address'
import type { Operation } from '@malipo/runtime/handler-factory'
import { notableEvents } from '@malipo/runtime/metrics'
import type { LimitRate } from '../limits/limit-rate'
import { ratePolicies } from '../limits/rate-policies'
import { leaveReadPlace } from '../limits/read-places'

/** The longest life of a stream: the two minutes that a page polls, and some time for a reload. */
const lifeMs = 150_000
/** Sent so that neither our socket nor a proxy closes a silent stream as dead. */
const beatMs = 15_000
/** The share of one address. A mobile network puts many payers behind one. */
const addressShare = 0.2

/** The two messages of a stream: a comment that keeps it open, and the signal to poll. */
const beat = ':\n\n'
const changed = 'data:\n\n'

export interface Streams {
  /** `GET /intents/{id}/changes`: signals to a payer page when to poll its intent, and sends no data. */
  readonly intentChanges: Operation
  /** Ends all streams, and any later one at once. */
  readonly close: () => void
}

export interface StreamsOptions {
  readonly changes: Pick<Changes, 'watch'>
  readonly clientAddress: ClientAddress
  readonly limitRate: LimitRate
  readonly streamsMax: number
}

/** The answer to a page that gets no stream: the browser does not retry, and the page polls as usual. */
const none: Answer = { status: 204, headers: {}, body: '' }

export function openStreams(options: StreamsOptions): Streams {
  const { changes, clientAddress, limitRate, streamsMax } = options
  const takePlace = openPlaces(streamsMax)
  const open = new Set<PassThrough>()
  let isClosed = false
  return {
    async intentChanges(request, response) {
      const intentId = readIntentId(request.params['id'])
      const address = addressGroup(clientAddress(request))
      await limitRate(response, ratePolicies.page, address)
      // A page that has left already causes no close event, so its place would stay taken to the end.
      const leave = isClosed || response.closed ? undefined : takePlace(address)
      if (leave === undefined) {
        notableEvents.inc({ name: 'stream_refused' })
        return none
      }
      leaveReadPlace(response)
      const stream = openStream(changes, intentId)
      open.add(stream)
      stream.once('close', () => {
        open.delete(stream)
        leave()
      })
      return { status: 200, headers, body: '', stream }
    },
    close() {
      isClosed = true
      for (const stream of open) stream.end()
    },
  }
}

const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Some proxies buffer small answers unless this header forbids it.
  'X-Accel-Buffering': 'no',
}

function openStream(changes: Pick<Changes, 'watch'>, intentId: string): PassThrough {
  const stream = new PassThrough()
  // The first byte makes the browser report the stream as open.
  stream.write(beat)
  const unwatch = changes.watch(intentId, () => stream.write(changed))
  const beating = setInterval(() => stream.write(beat), beatMs)
  const ending = setTimeout(() => stream.end(), lifeMs)
  return stream.once('close', () => {
    unwatch()
    clearInterval(beating)
    clearTimeout(ending)
  })
}

/** The places of all addresses, with a share for each. */
function openPlaces(max: number): (address: string) => ReturnType<Slots['take']> {
  const all = openSlots(max)
  const held = new Map<string, number>()
  const perAddressMax = Math.ceil(max * addressShare)
  return (address) => {
    const count = held.get(address) ?? 0
    const release = count < perAddressMax ? all.take() : undefined
    if (release === undefined) return undefined
    held.set(address, count + 1)
    return () => {
      release()
      const left = (held.get(address) ?? 1) - 1
      if (left === 0) held.delete(address)
      else held.set(address, left)
    }
  }
}
