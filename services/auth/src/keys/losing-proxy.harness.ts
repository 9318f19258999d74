import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { z } from 'zod'

/** A proxy before a server. It passes on every request, and loses every answer after `loseAnswers`. */
export async function openLosingProxy(target: string) {
  const [host = '', port] = target.split(':')
  const open: Socket[] = []
  let isLosing = false
  const server = createServer({ noDelay: true }, (client) => {
    const back = connect({ host, port: z.coerce.number().parse(port), noDelay: true })
    for (const socket of [client, back]) open.push(socket.on('error', () => undefined))
    client.pipe(back)
    back.on('data', (bytes: Buffer) => {
      if (!isLosing) client.write(bytes)
    })
    client.once('close', () => back.destroy())
    back.once('close', () => client.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const cut = () => {
    for (const socket of open.splice(0)) socket.destroy()
  }
  return {
    address: `127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    loseAnswers: () => (isLosing = true),
    cut,
    async stop() {
      cut()
      await once(server.close(), 'close')
    },
  }
}
