import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { eventually } from '@malipo/testing/eventually'
import { refuseUnreadable } from './refuse-unreadable'

const held: Socket[] = []
// Half open, as Node's HTTP server is: a client's FIN does not close the socket.
const server = createServer({ allowHalfOpen: true }, (socket) => {
  held.push(socket)
  refuseUnreadable(new Error('no HTTP'), socket)
})

afterAll(() => {
  for (const socket of held) socket.destroy()
  server.close()
})

test('row 95: a malformed request gets its error, and the server closes the connection', async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  held.push(client)
  const [answer] = (await once(client, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /)
  await eventually(
    'the connection is gone',
    () => held.find((socket) => socket !== client)?.destroyed,
  )
})
