import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { testIdentityDir } from '@malipo/testing/identities'
import { type Addresses, type NameServer, openNameServer } from './name-server.harness'
import { openPostWebhook, type PostWebhookOptions } from './post-webhook'

let requests: { host: string | undefined; url: string | undefined }[]
let answer: RequestListener
const servers: Server[] = []
const nameServers: NameServer[] = []

const record: RequestListener = (request, response) => {
  requests.push({ host: request.headers.host, url: request.url })
  request.resume()
  answer(request, response)
}

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

let port: number

beforeEach(async () => {
  requests = []
  answer = (_request, response) => response.writeHead(200).end('thanks')
  port = await listen(createServer(record))
})

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  for (const server of nameServers.splice(0)) server.stop()
})

const post = (url: string, options: Partial<PostWebhookOptions> = {}) =>
  openPostWebhook({ mayUseLoopback: false, ...options })({ url, headers: {}, body: '{}' })

const refused = (failure: string) => ({ kind: 'unanswered', failure })
/** Makes names be resolved by a server that answers with these addresses. */
async function asking(addressesOf: (family: 4 | 6) => Addresses) {
  const server = await openNameServer(addressesOf)
  nameServers.push(server)
  return { nameServers: [server.address] }
}
const to = (...addresses: string[]) => asking(() => addresses)

test.each([
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://10.0.0.1/',
  'https://[fd00:ec2::254]/',
])('refuses an address of a private network: %s', async (url) => {
  expect(await post(url)).toEqual(refused('address_not_public'))
})

test.each([
  ['127.0.0.1'],
  ['169.254.169.254'],
  ['::ffff:10.0.0.1'],
  ['fd00:ec2::254'],
  ['8.8.8.8', '10.0.0.1'],
  ['8.8.8.8', '::1'],
])('connects to no name that is an alias of a host at %s %s', async (...addresses) => {
  expect(await post('https://shop.example/', await to(...addresses))).toEqual(
    refused('address_not_public'),
  )
})

test('sends nothing without TLS, except to this machine on a local stack', async () => {
  const local = { mayUseLoopback: true }
  const elsewhere = await to('8.8.8.8')
  expect(await post('http://shop.example/', elsewhere)).toEqual(refused('https_required'))
  expect(await post('http://shop.example/', { ...local, ...elsewhere })).toEqual(
    refused('https_required'),
  )
  expect(await post(`http://127.0.0.1:${String(port)}/`)).toEqual(refused('https_required'))
  expect(await post('ftp://127.0.0.1/', local)).toEqual(refused('https_required'))
  expect(requests).toEqual([])
  expect(await post(`http://127.0.0.1:${String(port)}/a`, local)).toEqual({
    kind: 'answered',
    status: 200,
  })
  expect(requests).toHaveLength(1)
})

test('connects to the checked address, and resolves the name once', async () => {
  const questions: number[] = []
  const moving = await asking((family) => {
    // A second question would get another address, as from a name server under an attacker's control.
    const isFirst = !questions.includes(family)
    questions.push(family)
    return [isFirst ? '127.0.0.1' : '10.0.0.1']
  })
  const url = `http://shop.example:${String(port)}/webhooks?shop=1`
  expect(await post(url, { mayUseLoopback: true, ...moving })).toMatchObject({ status: 200 })
  expect(questions.toSorted()).toEqual([4, 6])
  expect(requests).toEqual([{ host: `shop.example:${String(port)}`, url: '/webhooks?shop=1' }])
})

test('reports no answer for an unknown name, and for one without addresses', async () => {
  const unknown = await asking(() => 'unknown')
  expect(await post('https://shop.example/', unknown)).toEqual(refused('name_not_found'))
  expect(await post('https://shop.example/', await to())).toEqual(refused('name_not_found'))
})

test('reaches this machine by its own name on a local stack, without a name server', async () => {
  const local = { mayUseLoopback: true, ...(await asking(() => 'silent')) }
  expect(await post(`http://localhost:${String(port)}/`, local)).toMatchObject({ status: 200 })
})

test('a silent name server of a merchant holds up no other name, and is not asked again after the deadline', async () => {
  let questions = 0
  const silent = await asking(() => {
    questions += 1
    return 'silent'
  })
  const late = (deadlineMs: number) => post('https://shop.example/', { ...silent, deadlineMs })
  // Eight posts: more than this process has threads for `lookup`.
  const posts = Promise.all(Array.from({ length: 8 }, () => late(1_000)))
  const first = await Promise.race([posts.then(() => 'posts'), lookup('localhost')])
  expect(first).toMatchObject({ address: expect.any(String) })
  expect(await posts).toEqual(Array.from({ length: 8 }, () => refused('timeout')))
  // In these two seconds each of the eight posts would ask for the name again, if that was not cancelled.
  expect(await late(2_000)).toEqual(refused('timeout'))
  // Two families for each of the eight, and twice two for the last post and its repetition.
  expect(questions).toBeLessThanOrEqual(20)
})

test('times out when the name server, the server or its answer hangs', async () => {
  const late = { mayUseLoopback: true, deadlineMs: 50 }
  const silent = await asking(() => 'silent')
  expect(await post('https://shop.example/', { ...late, ...silent })).toEqual(refused('timeout'))
  answer = () => undefined
  expect(await post(`http://127.0.0.1:${String(port)}/`, late)).toEqual(refused('timeout'))
  answer = (_request, response) => response.writeHead(200).write('a')
  expect(await post(`http://127.0.0.1:${String(port)}/`, late)).toEqual(refused('timeout'))
})

test('reports the status of an answer without waiting for more than 64 KB of it, and hangs up', async () => {
  const closed = new Promise<void>((resolve) => {
    answer = (_request, response) => {
      response.on('close', resolve)
      response.writeHead(201).write(Buffer.alloc(64 * 1_024 + 1))
    }
  })
  const options = { mayUseLoopback: true, deadlineMs: 3_000 }
  expect(await post(`http://127.0.0.1:${String(port)}/`, options)).toEqual({
    kind: 'answered',
    status: 201,
  })
  await closed
})

test('refuses a certificate of an unknown authority', async () => {
  const dir = testIdentityDir('auth')
  const identity = {
    cert: readFileSync(join(dir, 'tls.crt')),
    key: readFileSync(join(dir, 'tls.key')),
  }
  const tlsPort = await listen(createTlsServer(identity, record))
  const outcome = await post(`https://127.0.0.1:${String(tlsPort)}/`, { mayUseLoopback: true })
  expect(outcome).toEqual(refused('tls_failed'))
  expect(requests).toEqual([])
})

test('reports no answer for a refused and a broken connection', async () => {
  const local = { mayUseLoopback: true }
  const url = `http://127.0.0.1:${String(port)}/`
  answer = (request) => request.socket.destroy()
  expect(await post(url, local)).toEqual(refused('connection_failed'))
  for (const server of servers.splice(0)) server.close()
  expect(await post(url, local)).toEqual(refused('connection_refused'))
})
