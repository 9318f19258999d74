import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { addressGroup } from './client-address'
import { notableEvents } from './metrics'
import { type Networks, plainAddress } from './networks'

export interface ConnectionLimits {
  /** The maximum of connections over all addresses. */
  readonly max: number
  /** The maximum of connections of one IPv4 address or one IPv6 /64. */
  readonly perAddressMax: number
  /** How long a connection may wait for its next request. */
  readonly idleSeconds: number
}

interface Group {
  readonly name: string
  readonly sockets: Set<Socket>
  /** The idle connections with the time since when each is idle, the longest idle first. */
  readonly idle: Map<Socket, number>
}

/** From this share of the maximum on, each new connection closes an idle one of the group that has the most. */
const nearFull = 0.9
const sweepMs = 1_000

/**
 * Bounds connections by address, so that one client cannot hold them all. Sockets of our own proxies (`exempt`) carry
 * many clients: they count in the total only, and are never closed for being idle. Returns the hook for each request.
 */
export function boundConnections(
  server: Server,
  limits: ConnectionLimits,
  exempt: Networks,
): (request: IncomingMessage, response: ServerResponse) => void {
  const held = new Connections(limits)
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    if (exempt.has(address)) {
      held.total += 1
      socket.once('close', () => (held.total -= 1))
    } else if (!held.admit(socket, addressGroup(address))) {
      notableEvents.inc({ name: 'connection_refused' })
      socket.destroy()
    }
  })
  // Node itself resets connections above `server.maxConnections`, also those of a proxy, and emits `drop` for each.
  server.on('drop', () => {
    notableEvents.inc({ name: 'connection_refused' })
  })
  const sweep = setInterval(() => {
    held.closeIdleSince(performance.now() - limits.idleSeconds * 1_000)
  }, sweepMs).unref()
  server.on('close', () => {
    clearInterval(sweep)
  })
  return ({ socket }, response) => {
    if (!held.begin(socket)) return
    response.setHeader('Keep-Alive', `timeout=${String(Math.floor(limits.idleSeconds))}`)
    response.once('close', () => {
      held.finish(socket)
    })
  }
}

class Connections {
  total = 0
  readonly #limits: ConnectionLimits
  readonly #groups = new Map<string, Group>()
  readonly #groupOf = new WeakMap<Socket, Group>()
  readonly #requests = new WeakMap<Socket, number>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** False when there is no room, even after closing an idle connection. */
  admit(socket: Socket, name: string): boolean {
    const { max, perAddressMax } = this.#limits
    const group = this.#groups.get(name) ?? { name, sockets: new Set(), idle: new Map() }
    if (group.sockets.size >= perAddressMax && !this.#closeIdle(group)) return false
    if (this.total >= max * nearFull) this.#closeIdle(this.#largest())
    if (this.total >= max) return false
    // Closing an idle connection above deletes this group when that was its last connection.
    this.#groups.set(name, group)
    this.#groupOf.set(socket, group)
    group.sockets.add(socket)
    group.idle.set(socket, performance.now())
    this.total += 1
    socket.once('close', () => {
      this.#forget(socket, group)
    })
    return true
  }

  /** Counts a request on its connection; false for a connection that is not bounded by address. */
  begin(socket: Socket): boolean {
    const group = this.#groupOf.get(socket)
    group?.idle.delete(socket)
    this.#requests.set(socket, (this.#requests.get(socket) ?? 0) + 1)
    return group !== undefined
  }

  finish(socket: Socket): void {
    const left = (this.#requests.get(socket) ?? 1) - 1
    this.#requests.set(socket, left)
    const group = this.#groupOf.get(socket)
    if (left === 0 && group?.sockets.has(socket)) group.idle.set(socket, performance.now())
  }

  closeIdleSince(beforeMs: number): void {
    for (const group of this.#groups.values()) {
      for (const [socket, sinceMs] of group.idle) {
        if (sinceMs > beforeMs) break
        this.#end(socket, group)
      }
    }
  }

  #closeIdle(group: Group | undefined): boolean {
    const [socket] = group?.idle.keys() ?? []
    if (group === undefined || socket === undefined) return false
    this.#end(socket, group)
    return true
  }

  /** The group with the most connections that has an idle one. */
  #largest(): Group | undefined {
    let largest: Group | undefined
    for (const group of this.#groups.values()) {
      const isLarger = group.sockets.size > (largest?.sockets.size ?? 0)
      if (isLarger && group.idle.size > 0) largest = group
    }
    return largest
  }

  #end(socket: Socket, group: Group): void {
    this.#forget(socket, group)
    socket.destroy()
  }

  /** Uncounts a socket at once; its own `close` event comes later. */
  #forget(socket: Socket, group: Group): void {
    if (!group.sockets.delete(socket)) return
    group.idle.delete(socket)
    this.total -= 1
    if (group.sockets.size === 0) this.#groups.delete(group.name)
  }
}
