import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

/** Status, code and Retry-After, as `503 2752 1`. */
async function rawAnswer(socket: Socket): Promise<string> {
  const answer = await text(socket)
  const parts = [/^HTTP\/1\.1 (\d+)/, /"code":(\d+)/, /\r\nRetry-After: (\d+)/]
  return parts.flatMap((part) => part.exec(answer)?.[1] ?? []).join(' ')
}

/** Sends many reads at the same moment, each on an existing connection. */
export async function rush(
  url: string,
  count: number,
  addressOf = (index: number) => `10.9.${String(index >> 8)}.${String(index & 255)}`,
): Promise<readonly Promise<string>[]> {
  const { hostname, port, pathname } = new URL(url)
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const socket = connect({ host: hostname, port: z.coerce.number().parse(port) })
    await once(socket, 'connect')
    sockets.push(socket)
  }
  return sockets.map((socket, index) => {
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nHost: x\r\n` +
        `X-Forwarded-For: ${addressOf(index)}\r\nConnection: close\r\n\r\n`,
    )
    return rawAnswer(socket)
  })
}
