import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { z } from 'zod'

/** ReadyForQuery of PostgreSQL's wire protocol, outside a transaction: what was sent is committed. */
const committed = Buffer.from('Z\0\0\0\x05I', 'latin1')

export interface CuttingProxy {
  /** The database's URL, by way of the proxy. */
  readonly url: string
  /** Cuts the connection over which `word` is sent, after the commit and before the client is answered. */
  cutAfter(word: string): void
  /** How many commits were cut off from their client. */
  cuts(): number
  stop(): Promise<void>
}

export async function openCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const url = new URL(databaseUrl)
  const target = { host: url.hostname, port: z.coerce.number().parse(url.port) }
  const open = new Set<Socket>()
  let word: string | undefined
  let cuts = 0
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => undefined).once('close', () => open.delete(socket))
  }
  const server = createServer({ noDelay: true }, (client) => {
    const back = connect({ ...target, noDelay: true })
    keep(client)
    keep(back)
    let isMet = false
    client.on('data', (bytes: Buffer) => {
      if (word !== undefined && bytes.includes(word)) {
        isMet = true
        word = undefined
      }
      back.write(bytes)
    })
    back.on('data', (bytes: Buffer) => {
      if (isMet && bytes.includes(committed)) {
        cuts += 1
        client.resetAndDestroy()
        back.destroy()
        return
      }
      client.write(bytes)
    })
    client.once('close', () => back.destroy())
    back.once('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    cutAfter: (next) => (word = next),
    cuts: () => cuts,
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
