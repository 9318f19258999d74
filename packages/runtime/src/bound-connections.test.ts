import { createServer, type Server } from 'node:http'
import { Socket } from 'node:net'
import { boundConnections } from './bound-connections'
import { openNetworks } from './networks'

let server: Server
beforeEach(() => {
  server = createServer()
})
afterEach(() => {
  server.emit('close')
})

/** A fake socket with this address, because a test machine has only one network. */
function connectFrom(remoteAddress: string): Socket {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
  server.emit('connection', socket)
  return socket
}

test('counts all addresses of one IPv6 network together, and another network separately', () => {
  const limits = { max: 100, perAddressMax: 3, idleSeconds: 15 }
  boundConnections(server, limits, openNetworks([]))
  const sockets = ['1', '2:3', '4', '5', '6'].map((host) => connectFrom(`2001:db8:1:2::${host}`))
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false, false])
  const others = ['2001:db8:1:3::1', '2001:db8:1:4::1', '203.0.113.7', '203.0.113.8']
  expect(others.map((address) => connectFrom(address).destroyed)).toEqual(Array(4).fill(false))
})
