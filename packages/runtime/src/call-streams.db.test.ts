import { Client, status } from '@grpc/grpc-js'
import {
  type CallAnswer,
  CallServiceService,
  type CarryResponse,
} from '@malipo/contracts/proto/calls/v1/call_service'
import { Fault } from '@malipo/kernel/errors'
import { register } from 'prom-client'
import { eventually } from '@malipo/testing/eventually'
import { testIdentityDir } from '@malipo/testing/identities'
import {
  closeAll,
  closers,
  log,
  openCarriedClient,
  openClient,
  openProxy,
  serve,
  serveEarlier,
  unaryCalls,
} from './call-streams.harness'
import { clientOptionsTo } from './grpc'
import { continueTrace, noteSubject, withTrace } from './telemetry'
import { openTlsIdentity } from './tls-identity'

afterEach(closeAll)

test('many calls at once are answered on one stream, and each call gets the answer to its request', async () => {
  const { server } = await serve()
  const { calls } = await openCarriedClient(server.port)
  const numbers = Array.from({ length: 300 }, (_, index) => String(index))
  const answers = await Promise.all(numbers.map((number) => calls.ask(Buffer.from(number))))
  expect(answers.map(String)).toEqual(numbers.map((number) => `${number} of worker-ke`))
  expect(unaryCalls).not.toHaveBeenCalled()
})

test('a refused call gets the reason and the facts of its fault, and the next call gets its answer', async () => {
  const { server } = await serve()
  const { calls } = await openCarriedClient(server.port)
  const [refused, answered] = await Promise.allSettled([
    calls.refuse(Buffer.of()),
    calls.ask(Buffer.from('a')),
  ])
  expect(refused).toMatchObject({
    reason: { reason: 'intent_not_found', facts: { intentId: 'pi_1' } },
  })
  expect(answered).toMatchObject({ status: 'fulfilled' })
  expect(unaryCalls).not.toHaveBeenCalled()
})

test("a process cannot call another process's method by a stream", async () => {
  const { server, kept } = await serve()
  const calls = openClient(`127.0.0.1:${String(server.port)}`, 'gateway-ke').within(10_000)
  const denied = { reason: 'internal', facts: { grpcStatus: 7 } }
  await eventually('a stream is open', async () => {
    unaryCalls.mockClear()
    await expect(calls.keep(Buffer.of())).rejects.toMatchObject(denied)
    return unaryCalls.mock.calls.length === 0
  })
  expect(kept).toHaveLength(0)
})

test('all answers arrive when together they are larger than one message may be', async () => {
  const { server } = await serve()
  const { calls } = await openCarriedClient(server.port)
  const large = Buffer.alloc(15_000, 'x')
  const answers = await Promise.all(Array.from({ length: 40 }, () => calls.ask(large)))
  expect(answers.map(({ length }) => length)).toEqual(
    answers.map(() => large.length + ' of worker-ke'.length),
  )
  expect(unaryCalls).not.toHaveBeenCalled()
})

test('a request so large that others would wait behind it is sent as a unary call of gRPC', async () => {
  const { server } = await serve()
  const { calls } = await openCarriedClient(server.port)
  const answer = await calls.ask(Buffer.alloc(50_000, 'x'))
  expect(answer).toHaveLength(50_000 + ' of worker-ke'.length)
  expect(unaryCalls).toHaveBeenCalledTimes(1)
})

test('a call whose connection breaks ends as unavailable, and is not sent again', async () => {
  const { server, kept } = await serve()
  const { sockets, port } = await openProxy(server.port)
  const { calls } = await openCarriedClient(port)

  const answer = calls.keep(Buffer.of())
  const ended = expect(answer).rejects.toMatchObject({ reason: 'ledger_unavailable' })
  await eventually('the call is there', () => kept.length === 1)
  for (const socket of sockets) socket.destroy()
  await ended

  expect(String(await calls.ask(Buffer.from('again')))).toBe('again of worker-ke')
  await eventually('a stream is open again', async () => {
    unaryCalls.mockClear()
    await calls.ask(Buffer.of())
    return unaryCalls.mock.calls.length === 0
  })
  expect(kept).toHaveLength(1)
})

test('a server that stops answers the calls under way, and takes no further call', async () => {
  const { server, kept } = await serve()
  const { calls } = await openCarriedClient(server.port)
  const answer = calls.keep(Buffer.from('late'))
  await eventually('the call is there', () => kept.length === 1)
  const stopping = server.stop()
  await eventually('it takes no call', () =>
    calls.ask(Buffer.of()).then(
      () => false,
      (error: unknown) => error instanceof Fault && error.reason === 'ledger_unavailable',
    ),
  )
  kept[0]?.()
  expect(String(await answer)).toBe('late')
  await stopping
})

test('a client that is closed gets the answers to the calls that it has sent', async () => {
  const { server, kept } = await serve()
  const { client, calls } = await openCarriedClient(server.port)
  const answer = calls.keep(Buffer.from('sent'))
  await eventually('the call is there', () => kept.length === 1)
  client.close()
  kept[0]?.()
  expect(String(await answer)).toBe('sent')
})

test('a server of an earlier release, which knows no streams, answers each call', async () => {
  const calls = openClient(`127.0.0.1:${String(await serveEarlier())}`).within(10_000)
  for (const text of ['one', 'two', 'three'])
    expect(String(await calls.ask(Buffer.from(text)))).toBe(text)
})

test('while one replica is of a release without streams, all replicas get their share of the calls', async () => {
  const { server } = await serve()
  const ports = [server.port, await serveEarlier()]
  const calls = openClient(
    `ipv4:${ports.map((port) => `127.0.0.1:${String(port)}`).join()}`,
  ).within(10_000)
  const answers = async () => {
    const answers = Array.from({ length: 20 }, () => calls.ask(Buffer.from('a')))
    return (await Promise.all(answers)).map(String)
  }
  await eventually('both answer', async () => new Set(await answers()).size === 2)
  // Ten rounds last long enough for several streams to be begun.
  const shares: number[] = []
  await eventually('ten rounds', async () => {
    shares.push((await answers()).filter((answer) => answer === 'a').length)
    return shares.length === 10
  })
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(8)
})

test('a request that cannot be encoded fails with its error, and the next call is answered', async () => {
  const { server } = await serve()
  const { calls } = await openCarriedClient(server.port)
  await expect(calls.broken(Buffer.of())).rejects.toThrow('not a number')
  expect(String(await calls.ask(Buffer.from('next')))).toBe('next of worker-ke')
})

test('a carried call of an unknown method is refused, and its path gets no metric', async () => {
  const { server } = await serve()
  const { path, requestSerialize, responseDeserialize } = CallServiceService.carry
  const worker = new Client(
    `127.0.0.1:${String(server.port)}`,
    openTlsIdentity(testIdentityDir('worker-ke'), log).channel,
    clientOptionsTo('keys'),
  )
  closers.push(() => {
    worker.close()
  })
  const stream = worker.makeBidiStreamRequest(path, requestSerialize, responseDeserialize)
  const answers: CallAnswer[] = []
  stream.on('data', (response: CarryResponse) => answers.push(...response.answers))
  const call = { id: 1, path: '/x.Y/Z', requestId: '', traceparent: '', subject: '' }
  stream.write({ calls: [{ ...call, request: Buffer.of(), remainingMs: 0 }], sentMs: 0 })
  await eventually('an answer', () => answers.length === 1)
  expect(answers[0]?.outcome).toMatchObject({ value: { code: status.UNIMPLEMENTED } })
  expect(await register.metrics()).not.toContain('method="Z"')
  stream.end()
})

test('a carried call has the request id and the subject of the work that makes it', async () => {
  const { server, subjects } = await serve()
  const { calls } = await openCarriedClient(server.port)
  const trace = continueTrace({})
  await withTrace(trace, () => {
    noteSubject({ intentId: 'pi_1' })
    return calls.ask(Buffer.of())
  })
  expect(subjects.at(-1)).toMatchObject({ requestId: trace.requestId, intentId: 'pi_1' })
  expect(unaryCalls).not.toHaveBeenCalled()
})
