import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { openImpatient } from '@malipo/runtime/waits.harness'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { z } from 'zod'
import { type RunningAuth, startAuth } from '../start.harness'

let database: TestDatabase
let auth: RunningAuth
const line = createServer((near) => {
  const { hostname, port } = new URL(database.url)
  const far = connect(z.coerce.number().parse(port), hostname)
  far.on('error', () => near.destroy())
  near.on('error', () => far.destroy())
  near.on('close', () => far.destroy())
  near.pipe(far).pipe(near)
  connections.push(near)
})
const connections: Socket[] = []

/** Drops what we send without an error, as a broken network does. */
function goSilent() {
  for (const near of connections.splice(0)) near.unpipe()
}

beforeAll(async () => {
  database = await cloneDatabase('auth')
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  const url = new URL(database.url)
  url.port = String((line.address() as AddressInfo).port)
  auth = await openImpatient(() => startAuth({ ...database, url: url.href }))
})

afterAll(async () => {
  await auth.stop()
  line.close()
  await database.drop()
})

test('a silently broken database connection fails one request, and no later request', async () => {
  const read = async () => {
    const response = await fetch(`${auth.url}/v1/auth/public/profile/unclaimed`)
    return response.status
  }
  expect(await read()).toBe(404)
  goSilent()
  expect(await read()).toBe(503)
  expect(await read()).toBe(404)
})
