import { connect } from 'node:net'
import { eventually } from '@malipo/testing/eventually'
import { startConsole } from './console.harness'

test('a console that stops closes a kept connection with its next answer', async () => {
  const running = await startConsole()
  const socket = connect(running.port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  const ask = () => socket.write('GET /sign-in HTTP/1.1\r\nHost: a\r\n\r\n')
  ask()
  await eventually('an answer', () => received.includes('HTTP/1.1 200'))
  const drained = running.drain()
  received = ''
  ask()
  await eventually('the end of the connection', () => socket.readableEnded)
  expect(received).toContain('Connection: close')
  await drained
  await running.stop()
})
