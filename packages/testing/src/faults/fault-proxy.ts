import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'

export const networkFaults = ['delay', 'slow', 'cut', 'half-open'] as const
export type NetworkFault = (typeof networkFaults)[number]

export interface FaultProxy {
  readonly port: number
  begin(fault: NetworkFault): void
  end(): void
  stop(): Promise<void>
}

const delayMs = 300
const slowBytesPerMs = 4

/** A proxy before a server. It passes bytes on, and plays the network fault that is set. */
export async function openFaultProxy(target: number): Promise<FaultProxy> {
  const open = new Set<Socket>()
  let fault: NetworkFault | undefined
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket)).on('error', () => undefined)
  }
  const breakAll = () => {
    for (const socket of open) socket.resetAndDestroy()
  }
  const server = createServer({ noDelay: true }, (client) => {
    keep(client)
    if (fault === 'cut') {
      client.resetAndDestroy()
      return
    }
    const back = connect({ host: '127.0.0.1', port: target, noDelay: true })
    keep(back)
    client.pipe(passing(() => fault)).pipe(back)
    back.pipe(passing(() => fault)).pipe(client)
    client.once('close', () => back.destroy())
    back.once('close', () => client.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    begin(next) {
      fault = next
      if (next === 'cut') breakAll()
    },
    end() {
      // A connection that was half open has lost bytes and is of no more use, so it is broken.
      if (fault === 'half-open') breakAll()
      fault = undefined
    },
    async stop() {
      breakAll()
      await once(server.close(), 'close')
    },
  }
}

/** Passes on the bytes of one direction of a connection, under the fault that is set at each moment. */
function passing(faultNow: () => NetworkFault | undefined): Transform {
  const pauseFor = (bytes: number) => {
    const fault = faultNow()
    if (fault === 'delay') return delayMs
    return fault === 'slow' ? bytes / slowBytesPerMs : 0
  }
  const pass = async (chunk: Buffer) => {
    const pauseMs = pauseFor(chunk.length)
    if (pauseMs > 0) await wait(pauseMs)
    return faultNow() === 'half-open' ? undefined : chunk
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (faultNow() === undefined) done(null, chunk)
      else
        void pass(chunk).then((passed) => {
          done(null, passed)
        })
    },
  })
}
