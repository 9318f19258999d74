import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { eventually } from '@malipo/testing/eventually'
import { openBalancer } from './balancer'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** All that a socket receives, until the other side ends. Node's `text` would close the socket for writing. */
function textFrom(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve) => {
    socket.once('end', () => {
      resolve(Buffer.concat(chunks).toString())
    })
  })
}

/** A replica that calls `serve` with each connection. */
async function replica(serve: (socket: Socket) => unknown) {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.on('error', () => undefined))
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await once(server.close(), 'close')
  }
  closers.push(stop)
  return { port: (server.address() as AddressInfo).port, stop }
}

const named = (name: string) => replica((socket) => socket.end(name))

async function balance(backs: readonly { readonly port: number }[]) {
  const logged: string[] = []
  const balancer = await openBalancer({
    host: '127.0.0.1',
    routes: [{ port: 0, backs: backs.map(({ port }) => port) }],
    onProgress: (line) => logged.push(line),
  })
  closers.push(balancer.stop)
  const [port = 0] = balancer.ports
  const open = (localAddress = '127.0.0.1') =>
    connect({ host: '127.0.0.1', port, localAddress, allowHalfOpen: true })
  /** Connects, sends nothing, and returns all that is received. */
  const answer = async () => {
    const client = open()
    const answered = await textFrom(client)
    client.end()
    return answered
  }
  return { balancer, logged, open, answer }
}

test('gives connections to the replicas in turn', async () => {
  const { answer } = await balance([await named('one'), await named('two')])
  const answers = [await answer(), await answer(), await answer(), await answer()]
  expect(answers).toEqual(['one', 'two', 'one', 'two'])
})

test('gives a connection to the next replica when one refuses it, and back when it accepts again', async () => {
  const gone = await named('one')
  const { answer } = await balance([gone, await named('two')])
  await gone.stop()
  expect([await answer(), await answer(), await answer()]).toEqual(['two', 'two', 'two'])
  const back = createServer((socket) => socket.end('one again'))
  closers.push(() => back.close())
  await once(back.listen(gone.port, '127.0.0.1'), 'listening')
  expect([await answer(), await answer()].sort()).toEqual(['one again', 'two'])
})

test('disconnects a client that no replica accepts, and reports it', async () => {
  const gone = await named('one')
  const { open, logged } = await balance([gone])
  await gone.stop()
  expect(await textFrom(open())).toBe('')
  expect(logged).toEqual([expect.stringContaining('No replica')])
})

test('calls the replica from the address of the client', async () => {
  const { open } = await balance([
    await replica((socket) => socket.end(String(socket.remoteAddress))),
  ])
  const client = open('127.0.0.7')
  expect(await textFrom(client)).toBe('127.0.0.7')
  client.end()
})

test('passes on the end of what a client sends, and then the whole answer', async () => {
  const large = 'x'.repeat(5_000_000)
  const { open } = await balance([
    await replica(async (socket) => socket.end(`${await textFrom(socket)}${large}`)),
  ])
  const client = open()
  client.end('asked ')
  const answer = await textFrom(client)
  expect([answer.length, answer.slice(0, 7)]).toEqual([large.length + 6, 'asked x'])
})

test('passes on what a client sends after the replica has ended its answer', async () => {
  const received: string[] = []
  const { open } = await balance([
    await replica(async (socket) => {
      socket.end('enough')
      received.push(await textFrom(socket))
    }),
  ])
  const client = open()
  expect(await textFrom(client)).toBe('enough')
  const late = 'y'.repeat(3_000_000)
  client.end(late)
  await eventually('all of it arrives', () => received[0] === late)
})

test('breaks the connection of a client when its replica breaks it', async () => {
  const { open } = await balance([
    await replica((socket) => socket.once('data', () => socket.resetAndDestroy())),
  ])
  const client = open()
  client.write('asked')
  const [error] = (await once(client, 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ECONNRESET')
})

test('breaks the connection to a replica when its client breaks it', async () => {
  const broken: boolean[] = []
  const { open } = await balance([
    await replica((socket) => {
      socket.write('hello')
      socket.once('close', (isBroken) => broken.push(isBroken))
    }),
  ])
  const client = open()
  await once(client, 'data')
  client.resetAndDestroy()
  await eventually('the replica notices', () => broken.length === 1)
  expect(broken).toEqual([true])
})

test('ends the connections that are left when it stops, and accepts no more', async () => {
  const { open, balancer } = await balance([await replica((socket) => socket.write('hello'))])
  const client = open()
  await once(client, 'data')
  const ended = textFrom(client)
  await balancer.stop()
  expect(await ended).toBe('')
  client.end()
  const late = open()
  const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ECONNREFUSED')
})
