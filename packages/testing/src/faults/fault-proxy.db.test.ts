import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { eventually } from '@malipo/testing/eventually'
import { type FaultProxy, openFaultProxy } from './fault-proxy'

const server = createServer((socket) => socket.on('error', () => undefined).pipe(socket))
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

/** A client of an echo, with what it was sent and how its connection ended. */
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

test('half-open swallows bytes and keeps the connection, which is broken at the end', async () => {
  const { client, seen } = await openClient()
  const witness = await openClient()
  proxy.begin('half-open')
  client.write('lost')
  witness.client.write('lost too')
  expect(seen).toEqual({ text: 'before ', ended: '' })
  proxy.end()
  await eventually('the connection is broken', () => seen.ended === 'ECONNRESET')
  expect(seen.text).toBe('before ')
})
