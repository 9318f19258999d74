import { PassThrough } from 'node:stream'
import { readIntentId } from '@malipo/interface/fields'
import type { Answer } from '@malipo/runtime/answer'
import { openSlots, type Slots } from '@malipo/runtime/call-slots'
import type { Changes } from '@malipo/runtime/changes'
import { addressGroup, type ClientAddress } from '@malipo/runtime/client-address'
import type { Operation } from '@malipo/runtime/handler-factory'
import { notableEvents } from '@malipo/runtime/metrics'
import type { LimitRate } from '../http/limit-rate'
import { ratePolicies } from '../http/rate-window'
import { leaveReadPlace } from '../http/read-places'

/** As long as the page polls, and a reload's worth more. */
const lifeMs = 150_000
/** So that neither our socket nor a proxy takes a silent stream for a dead one. */
const beatMs = 15_000
/** The share of one address. A mobile network puts many payers behind one. */
const addressShare = 0.2

/** What the page's script is sent: a comment that keeps the stream open, or that it should ask. */
const beat = ':\n\n'
const changed = 'data:\n\n'

export interface Streams {
  /** `GET /intents/{id}/changes`: tells a payer page when to ask for its intent, and nothing else. */
  readonly intentChanges: Operation
  /** Ends all streams, and each one that comes later at once. */
  readonly close: () => void
}

export interface StreamsOptions {
  readonly changes: Pick<Changes, 'watch'>
  readonly clientAddress: ClientAddress
  readonly limitRate: LimitRate
  /** Streams at the same time. */
  readonly streamsMax: number
}

/** The answer to a page that gets no stream: the browser does not try again, and the page polls as it would. */
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
      // A page that left before this emits no further event, and would hold its place to the end.
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
  // Some proxies hold small answers back unless told.
  'X-Accel-Buffering': 'no',
}

function openStream(changes: Pick<Changes, 'watch'>, intentId: string): PassThrough {
  const stream = new PassThrough()
  // The first byte opens the stream for the browser.
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

/** Places of all addresses, of which one address has a share. */
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
