import type { handleUnaryCall, ServiceDefinition } from '@grpc/grpc-js'
import { testIdentityDir } from '@malipo/testing/identities'
import { eventually } from '@malipo/testing/eventually'
import { methodOfBytes } from './calls.harness'
import { serveGrpc } from './grpc'
import { openGrpcClient } from './grpc-client'
import { openLog } from './log'
import { openTlsIdentity } from './tls-identity'

const definition = {
  ask: methodOfBytes('/test.Service/Ask'),
} satisfies ServiceDefinition
interface Service {
  readonly ask: handleUnaryCall<Buffer, Buffer>
}

const log = openLog('test', 'silent')
const callers = { ask: ['worker-ke'] } as const
const identity = openTlsIdentity(testIdentityDir('keys'), log)

const replica = (name: string, port = 0) =>
  serveGrpc<Service>({
    ...{ definition, callers, log, identity, host: '127.0.0.1', port },
    operations: { ask: () => Promise.resolve(Buffer.from(name)) },
  })

/** A client of two replicas. `answers` makes `count` calls at once, and returns the replica that answered each. */
function openClient(one: { readonly port: number }, other: { readonly port: number }) {
  const address = `ipv4:${[one, other].map(({ port }) => `127.0.0.1:${String(port)}`).join(',')}`
  const whenUnavailable = 'ledger_unavailable'
  const client = openGrpcClient<Service>({
    ...{ server: 'keys', definition, address, whenUnavailable },
    identity: openTlsIdentity(testIdentityDir('worker-ke'), log),
  })
  const calls = client.within(5_000)
  const answers = async (count: number) => {
    const answers = Array.from({ length: count }, () => calls.ask(Buffer.of()))
    return (await Promise.all(answers)).map(String)
  }
  return { client, answers }
}

test('a client spreads its calls over all replicas, and loses none when one of them stops', async () => {
  const [one, other] = await Promise.all([replica('one'), replica('other')])
  const { client, answers } = openClient(one, other)
  const share = (names: readonly string[]) => names.filter((name) => name === 'one').length

  await eventually('it knows both', async () => new Set(await answers(4)).size === 2)
  expect(share(await answers(100))).toBe(50)

  const stopping = one.stop()
  const during: string[] = []
  while (during.length < 1_000) during.push(...(await answers(10)))
  await stopping
  expect(share(during)).toBeLessThan(1_000)
  expect(share(await answers(20))).toBe(0)
  client.close()
  await other.stop()
})

test('a client loses no call when the last replica stops just after another one came back', async () => {
  const [one, other] = await Promise.all([replica('one'), replica('other')])
  const { client, answers } = openClient(one, other)
  await eventually('it knows both', async () => new Set(await answers(4)).size === 2)
  await one.stop()
  await eventually('it knows that one is gone', async () => new Set(await answers(4)).size === 1)

  const again = await replica('one again', one.port)
  const stopping = other.stop()
  const during = new Set<string>()
  await eventually('it knows the one that is back', async () => {
    for (const name of await answers(10)) during.add(name)
    return during.has('one again')
  })
  await stopping
  client.close()
  await again.stop()
})

test('a call that waits for a connection ends as unavailable when its client is closed', async () => {
  const [one, other] = await Promise.all([replica('one'), replica('other')])
  const { client, answers } = openClient(one, other)
  await answers(1)
  await Promise.all([one.stop(), other.stop()])
  const waiting = answers(20)
  const ended = expect(waiting).rejects.toMatchObject({ reason: 'ledger_unavailable' })
  // After one `setImmediate` the first attempt of each call has failed, and its next attempt waits for a timer.
  await new Promise((resolve) => setImmediate(resolve))
  client.close()
  await ended
})
