import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import type { Fault } from '@malipo/kernel/errors'
import { openCall } from './grpc'

const refused = 'Stream refused by server'

function failure(code: status, details: string): ServiceError {
  return Object.assign(new Error(details), { code, details, metadata: new Metadata() })
}

/**
 * Calls a server that answers with these errors in turn, and then succeeds. Returns the answer and the number of
 * calls.
 */
async function call(errors: readonly ServiceError[]): Promise<[unknown, number]> {
  let sent = 0
  const answer = await openCall('ledger_unavailable')<string>(
    1_000,
    (_metadata, _options, done) => {
      done(errors[sent++] ?? null, 'done')
    },
  ).catch((error: unknown) => (error as Fault).reason)
  return [answer, sent]
}

test('retries a call that a closing connection refused before it began', async () => {
  const refusal = failure(status.UNAVAILABLE, refused)
  expect(await call([refusal])).toEqual(['done', 2])
  expect(await call([refusal, refusal, refusal, refusal])).toEqual(['done', 5])
})

test('fails a call that is always refused', async () => {
  const refusals = Array.from({ length: 20 }, () => failure(status.UNAVAILABLE, refused))
  expect(await call(refusals)).toEqual(['ledger_unavailable', 5])
})

test.each([
  [status.UNAVAILABLE, 'Connection dropped'],
  [status.UNAVAILABLE, 'too many calls in flight'],
  [status.INTERNAL, 'Received RST_STREAM with code 2'],
  [status.INTERNAL, refused],
  [status.DEADLINE_EXCEEDED, 'Deadline exceeded'],
])('does not retry a call that may have begun: %i %s', async (code, details) => {
  const [, sent] = await call([failure(code, details)])
  expect(sent).toBe(1)
})
