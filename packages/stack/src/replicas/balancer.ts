import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A public port, and the ports of the replicas behind it. */
export interface Route {
  readonly port: number
  readonly backs: readonly number[]
}

export interface BalancerOptions {
  readonly host: string
  readonly routes: readonly Route[]
  readonly onProgress: (line: string) => void
}

/** The most connections of a public port, open or in its backlog: as many as two gateways accept. */
const connectionsMax = 4_000
/** How long a replica has to accept a connection: a running one does at once, one whose queue is full never answers. */
const connectMs = 2_000
/** How long open connections may take to end when the balancer stops. */
const stopMs = 1_000

/**
 * Joins each connection to a replica in turn, and to the next one where a replica refuses it. It reads no HTTP: a
 * connection stays with its replica. It calls a replica from the address of its client, which is one of this machine's
 * loopback addresses, so a gateway limits and trusts the same address as without a balancer.
 */
export async function openBalancer({ host, routes, onProgress }: BalancerOptions): Promise<{
  /** The public ports, in the order of the routes. */
  readonly ports: readonly number[]
  stop(): Promise<void>
}> {
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // Each error is followed by `close`, which ends the other side.
    socket.on('error', () => undefined)
  }
  const servers = await Promise.all(
    routes.map(async ({ port, backs }) => {
      const nextOrder = openTurns(backs)
      const refused = () => {
        onProgress(`No replica behind port ${String(port)} accepts a connection`)
      }
      const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true })
      server.maxConnections = connectionsMax
      server.on('connection', (client) => {
        keep(client)
        joinFirst(client, nextOrder(), { host, keep, refused })
      })
      await listen(server, port, host)
      return server
    }),
  )
  return {
    ports: servers.map((server) => (server.address() as AddressInfo).port),
    async stop() {
      const force = setTimeout(() => {
        for (const socket of open) socket.destroy()
      }, stopMs)
      await Promise.all(servers.map(close))
      clearTimeout(force)
    },
  }
}

/** The replicas in the order in which the next connection tries them. */
function openTurns(backs: readonly number[]): () => readonly number[] {
  let turn = 0
  return () => {
    const first = turn++ % backs.length
    return [...backs.slice(first), ...backs.slice(0, first)]
  }
}

interface Joining {
  readonly host: string
  /** Called with each socket that is opened. */
  readonly keep: (socket: Socket) => void
  /** Called when no replica accepts the client. */
  readonly refused: () => void
}

/** Joins a client to the first replica that accepts it. Without one the client is disconnected. */
function joinFirst(client: Socket, [port, ...others]: readonly number[], at: Joining): void {
  if (port === undefined) {
    at.refused()
    client.destroy()
    return
  }
  const { remoteAddress: localAddress } = client
  // A client without an address has disconnected already.
  if (localAddress === undefined) return
  const back = connect({ host: at.host, port, localAddress, allowHalfOpen: true, noDelay: true })
  at.keep(back)
  const tryNext = () => {
    // Later bytes of this replica must not reach the client.
    back.off('error', tryNext).off('connect', joinBoth).destroy()
    joinFirst(client, others, at)
  }
  const joinBoth = () => {
    back.setTimeout(0)
    back.off('error', tryNext)
    join(client, back)
  }
  back.setTimeout(connectMs, tryNext)
  back.once('error', tryNext)
  back.once('connect', joinBoth)
}

/** Joins two sockets: passes bytes with backpressure, ends each direction by itself, resets one if the other broke. */
function join(client: Socket, back: Socket): void {
  client.pipe(back).pipe(client)
  client.once('close', (isBroken) => isBroken && back.resetAndDestroy())
  back.once('close', (isBroken) => isBroken && client.resetAndDestroy())
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: connectionsMax }, resolve)
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
  })
}
