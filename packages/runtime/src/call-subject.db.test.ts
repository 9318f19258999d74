import type { handleUnaryCall, ServiceDefinition } from '@grpc/grpc-js'
import { testIdentityDir } from '@malipo/testing/identities'
import { openCallsOf, methodOfBytes } from './calls.harness'
import { serveGrpc } from './grpc'
import { openLog } from './log'
import { continueTrace, noteSubject, type Subject, withTrace } from './telemetry'
import { openTlsIdentity } from './tls-identity'

const definition = {
  pay: methodOfBytes('/test.Service/Pay'),
} satisfies ServiceDefinition
interface Service {
  readonly pay: handleUnaryCall<Buffer, Buffer>
}

const lines: string[] = []
const log = openLog('ledger', 'info', { write: (line) => lines.push(line) })
const callers = { pay: ['worker-ke'] } as const
let server: { port: number; stop: () => Promise<void> }
let client: ReturnType<typeof openCallsOf<Service>>

beforeAll(async () => {
  const pay = () => {
    log.info('posted')
    return Promise.resolve(Buffer.of())
  }
  server = await serveGrpc<Service>({
    ...{ definition, callers, log, host: '127.0.0.1', port: 0 },
    operations: { pay },
    identity: openTlsIdentity(testIdentityDir('keys'), log),
  })
  const address = `127.0.0.1:${String(server.port)}`
  const whenUnavailable = 'ledger_unavailable'
  client = openCallsOf<Service>({ server: 'keys', definition, callers, address, whenUnavailable })
})
afterAll(async () => {
  client.close()
  await server.stop()
})

/** The ids in the log line of the called process. */
async function idsAfter(subject: Subject): Promise<unknown> {
  lines.length = 0
  await withTrace(continueTrace({}), async () => {
    noteSubject(subject)
    await client.calls.pay(Buffer.of())
  })
  const { intentId, messageId, payer } = JSON.parse(lines[0] ?? '{}') as Subject
  return { intentId, messageId, payer }
}

test("writes the caller's ids into the log lines of the called process", async () => {
  const ids = { intentId: 'pi_ke_1', messageId: 'pm_1' }
  expect(await idsAfter(ids)).toEqual(ids)
})

test('does not pass on a malformed id', async () => {
  expect(await idsAfter({ intentId: 'pi_1 "forged"', payer: '254712345678' })).toEqual({})
})
