import { Redis } from 'ioredis'
import type { Log } from './log'
import { notableEvents } from './metrics'
import { redisAddress, sayErrors } from './redis'

/**
 * How often a subscription pings Redis. It sends nothing else, and without a ping a lost server would not be noticed.
 */
const pingEveryMs = 5_000

const channelOf = (prefix: string) => `${prefix}:changes`

/**
 * Announces checkouts and intents that may have changed, after the ledger's commit. Only ids are sent; the receiver
 * reads the change from the ledger. Never waits and never fails; a lost announcement delays its receiver by some
 * seconds.
 */
export type Announce = (ids: readonly (string | undefined)[]) => void

export function openAnnounce(redis: Pick<Redis, 'publish'>, prefix: string): Announce {
  const channel = channelOf(prefix)
  return (ids) => {
    const known = ids.filter((id) => id !== undefined)
    if (known.length === 0) return
    redis.publish(channel, known.join(' ')).catch(() => {
      notableEvents.inc({ name: 'change_unannounced' })
    })
  }
}

/** The announcements of one cell, received over one subscription. */
export interface Changes {
  /** Calls `onChange` for each announcement of an id, until the returned function is called. */
  readonly watch: (id: string, onChange: () => void) => () => void
  /** Keeps the ids that are announced from now on, until `end` is called. */
  readonly collect: () => { readonly has: (id: string) => boolean; readonly end: () => void }
  readonly close: () => void
}

export interface ChangesOptions {
  readonly redisUrl: string
  /** The same prefix as in `openAnnounce`. */
  readonly prefix: string
  readonly log: Log
}

export function openChanges({ redisUrl, prefix, log }: ChangesOptions): Changes {
  const watchers = new Map<string, Set<() => void>>()
  const collected = new Set<Set<string>>()
  const channel = channelOf(prefix)
  const redis = new Redis({
    ...redisAddress(redisUrl),
    connectTimeout: 1_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (tries) => Math.min(tries * 100, 2_000),
    // The listener of `ready` below subscribes at each connection, including the first.
    autoResubscribe: false,
  })
  redis.on('error', sayErrors(log, 'changes'))
  redis.on('ready', () => {
    // If the connection is lost before this succeeds, it subscribes the next time that it is ready.
    redis.subscribe(channel).catch((error: unknown) => {
      log.warn({ error }, 'could not subscribe to changes')
    })
  })
  redis.on('message', (_channel, ids) => {
    for (const id of ids.split(' ')) {
      for (const seen of collected) seen.add(id)
      for (const onChange of watchers.get(id) ?? []) onChange()
    }
  })
  // A failed ping is ignored here: the listener of `error` above logs the errors of the connection.
  const pings = setInterval(() => void redis.ping().catch(() => undefined), pingEveryMs)
  return {
    watch(id, onChange) {
      const watching = watchers.get(id) ?? new Set()
      watchers.set(id, watching.add(onChange))
      return () => {
        watching.delete(onChange)
        if (watching.size === 0 && watchers.get(id) === watching) watchers.delete(id)
      }
    },
    collect() {
      const seen = new Set<string>()
      collected.add(seen)
      return { has: (id) => seen.has(id), end: () => collected.delete(seen) }
    },
    close() {
      clearInterval(pings)
      redis.disconnect()
    },
  }
}
