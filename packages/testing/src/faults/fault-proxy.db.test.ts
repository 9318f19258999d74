import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { eventually } from '@malipo/testing/eventually'
import { type FaultProxy, openFaultProxy } from './fault-proxy'

const served: Socket[] = []
const server = createServer((socket) => {
  served.push(socket)
  socket.on('error', () => undefined).pipe(socket)
})
const clients: Socket[] = []
let proxy: FaultProxy

beforeEach(async () => {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
  proxy = await openFaultProxy((server.address() as AddressInfo).port)
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await proxy.stop()
})

afterAll(() => server.close())

/** Opens a client of an echo server through the proxy, with the text that it received and how its connection ended. */
async function openClient() {
  const seen = { text: '', ended: '' }
  const client = connect({ host: '127.0.0.1', port: proxy.port })
  clients.push(client)
  client.on('data', (chunk: Buffer) => (seen.text += chunk.toString()))
  client.on('error', (error: NodeJS.ErrnoException) => (seen.ended = error.code ?? ''))
  await once(client, 'connect')
  client.write('before ')
  await eventually('the echo answers', () => seen.text === 'before ')
  return { client, seen }
}

test.each(['delay', 'slow'] as const)('passes on all bytes with the fault %s', async (fault) => {
  const { client, seen } = await openClient()
  proxy.begin(fault)
  client.write('x'.repeat(2_000))
  await eventually('all of it arrives', () => seen.text.length === 2_007)
  proxy.end()
  client.write(' after')
  await eventually('the echo answers', () => seen.text.endsWith(' after'))
})

test('cut breaks open connections and new ones, until it ends', async () => {
  const { seen } = await openClient()
  proxy.begin('cut')
  await eventually('the connection is broken', () => seen.ended === 'ECONNRESET')
  const refused = connect({ host: '127.0.0.1', port: proxy.port })
  expect(await once(refused, 'error')).toMatchObject([{ code: 'ECONNRESET' }])
  proxy.end()
  await openClient()
})

test('half-open swallows bytes both ways and keeps the connection, which is broken at the end', async () => {
  const [sender, receiver] = [await openClient(), await openClient()]
  // The start of a text is enough, because a failure would print all of its megabytes.
  const states = () => [sender, receiver].map(({ seen }) => [seen.text.slice(0, 50), seen.ended])
  proxy.begin('half-open')
  // The buffers on the way hold less than this, so a write ends only when the proxy reads on.
  const lost = 'lost'.repeat(16 * 1_024 * 1_024)
  let written = 0
  for (const end of [sender.client, served.at(-1)]) end?.write(lost, () => (written += 1))
  await eventually('the proxy has read what the buffers do not hold', () => written === 2)
  const kept = ['before ', '']
  expect(states()).toEqual([kept, kept])
  proxy.end()
  await eventually('the connections are broken', () => states().every(([, ended]) => ended !== ''))
  const broken = ['before ', 'ECONNRESET']
  expect(states()).toEqual([broken, broken])
})
