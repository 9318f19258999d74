import { Client, type ServerDuplexStream } from '@grpc/grpc-js'
import { createServer, type Socket } from 'node:net'
import type {
  Call,
  CarryRequest,
  CarryResponse,
} from '@malipo/contracts/proto/calls/v1/call_service'
import { eventually } from '@malipo/testing/eventually'
import {
  closeAll,
  closers,
  listen,
  openCarriedClient,
  openClient,
  openProxy,
  serve,
  serveEarlier,
  unaryCalls,
} from './call-streams.harness'
import { openImpatient } from './waits.harness'

const begunStreams = jest.spyOn(Client.prototype, 'makeBidiStreamRequest')
afterEach(closeAll)

const unavailable = { reason: 'ledger_unavailable' }

test('while streams are renewed, each call is performed once and answered', async () => {
  const { server, kept, subjects } = await serve()
  const { calls } = await openCarriedClient(server.port)
  const before = subjects.length
  begunStreams.mockClear()
  const across = calls.keep(Buffer.from('across'))
  const underWay: Promise<Buffer>[] = []
  await eventually('three streams are begun', async () => {
    underWay.push(calls.ask(Buffer.from(String(underWay.length))))
    await underWay.at(-1)
    return begunStreams.mock.calls.length >= 3
  })
  kept[0]?.()
  expect(String(await across)).toBe('across')
  const answers = await Promise.all(underWay)
  expect(answers.map(String)).toEqual(answers.map((_, at) => `${String(at)} of worker-ke`))
  expect(subjects.length - before).toBe(underWay.length)
  expect(kept).toHaveLength(1)
  expect(unaryCalls).not.toHaveBeenCalled()
})

test('sends each call as a request of its own to a server that never answers on its stream, and opens a stream again later', async () => {
  let opened = 0
  const port = await serveEarlier(() => {
    opened += 1
  })
  const calls = openClient(`127.0.0.1:${String(port)}`).within(10_000)
  // The client waits for a greeting no longer than in production; other tests stretch this wait.
  expect(String(await openImpatient(() => calls.ask(Buffer.from('first'))))).toBe('first')
  await eventually('a stream is begun again', () => opened > 1)
  expect(String(await calls.ask(Buffer.from('later')))).toBe('later')
})

test('a call to a server that accepts connections and never answers fails at its deadline', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => sockets.push(socket.on('error', () => undefined)))
  const port = await listen(silent)
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
  })
  const calls = openClient(`127.0.0.1:${String(port)}`).within(300)
  const beganMs = performance.now()
  const call = openImpatient(() => calls.ask(Buffer.of()))
  await expect(call).rejects.toMatchObject(unavailable)
  // `openCall` gives gRPC a deadline that is five seconds later (`graceMs`), so a call that ends sooner was ended by
  // our own timer.
  expect(performance.now() - beganMs).toBeLessThan(5_000)
})

/** A server whose answers the test writes. */
async function serveByHand() {
  const streams: ServerDuplexStream<CarryRequest, CarryResponse>[] = []
  const received: Call[] = []
  const port = await serveEarlier((stream) => {
    streams.push(stream)
    stream.on('data', ({ calls }: CarryRequest) => received.push(...calls))
    stream.on('error', () => undefined)
    stream.write({ replica: 'by hand', isDraining: false, answers: [] })
  })
  return {
    port,
    received,
    /** Answers on every stream, because the test does not know which one has the call. */
    answer(id: number, text: string) {
      const value = Buffer.from(text)
      const answers = [{ id, outcome: { $case: 'response' as const, value } }]
      for (const stream of streams) stream.write({ replica: '', isDraining: false, answers })
    },
  }
}

test('an answer after the deadline of its call, and a second answer to one call, do not affect later calls', async () => {
  const { port, received, answer } = await serveByHand()
  const client = openClient(`127.0.0.1:${String(port)}`)
  const patient = client.within(10_000)
  const carried = (text: string) => received.find(({ request }) => String(request) === text)
  await eventually('a stream is open', async () => {
    const text = `try ${String(received.length)}`
    const answering = patient.ask(Buffer.from(text))
    await eventually('it is sent', () => carried(text) ?? unaryCalls.mock.calls.length > 0)
    const { id = 0 } = carried(text) ?? {}
    unaryCalls.mockClear()
    if (id > 0) answer(id, 'open')
    return String(await answering) === 'open'
  })
  const late = openImpatient(() => client.within(20).ask(Buffer.from('late')))
  await expect(late).rejects.toMatchObject(unavailable)
  const { id = 0 } = carried('late') ?? {}
  const next = patient.ask(Buffer.from('next'))
  await eventually('the next call is there', () => carried('next'))
  answer(id, 'too late')
  answer(id, 'twice')
  answer(carried('next')?.id ?? 0, 'in time')
  expect(String(await next)).toBe('in time')
})

test('a call that reaches its server after its caller has gone is not begun', async () => {
  const { server, kept } = await serve()
  const { port, hold } = await openProxy(server.port)
  const { client, calls } = await openCarriedClient(port)
  const release = hold()
  const heldAtMs = performance.now()
  const gone = openImpatient(() => client.within(100).keep(Buffer.from('gone')))
  await expect(gone).rejects.toMatchObject(unavailable)
  await eventually('its caller has been gone for a while', () => performance.now() - heldAtMs > 500)
  const waiting = calls.ask(Buffer.from('waits'))
  release()
  expect(String(await waiting)).toBe('waits of worker-ke')
  expect(kept).toHaveLength(0)
})

test('a replica that answers nothing for a second gets no calls while another replica answers, and gets half of the calls again once it answers', async () => {
  const [hung, sound] = [await serve(), await serve()]
  const { port, hold } = await openProxy(hung.server.port)
  const ports = [port, sound.server.port].map((each) => `127.0.0.1:${String(each)}`)
  const client = openClient(`ipv4:${ports.join()}`)
  const round = async () => {
    const before = [hung, sound].map(({ subjects }) => subjects.length)
    const calls = client.within(10_000)
    await Promise.all(Array.from({ length: 20 }, () => calls.ask(Buffer.of())))
    return [hung, sound].map(({ subjects }, at) => subjects.length - (before[at] ?? 0))
  }
  const halves = 'each replica answers half of the calls'
  const isShared = async () => {
    unaryCalls.mockClear()
    const [one, other] = await round()
    return one === 10 && other === 10 && unaryCalls.mock.calls.length === 0
  }
  await eventually(halves, isShared)
  const release = hold()
  const stuck = Promise.allSettled(
    Array.from({ length: 2 }, () => client.within(10_000).ask(Buffer.of())),
  )
  await eventually('the hung replica is passed over', async () => {
    const askTwenty = () => Array.from({ length: 20 }, () => client.within(500).ask(Buffer.of()))
    const answers = await openImpatient(() => Promise.allSettled(askTwenty()))
    return answers.every(({ status }) => status === 'fulfilled')
  })
  release()
  await stuck
  await eventually(halves, isShared)
})
