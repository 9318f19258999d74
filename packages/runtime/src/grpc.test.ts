import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import type { Fault } from '@malipo/kernel/errors'
import { openCall } from './grpc'

const refused = 'Stream refused by server'

function failure(code: status, details: string): ServiceError {
  return Object.assign(new Error(details), { code, details, metadata: new Metadata() })
}

/** Calls what answers with these errors, one after another, and then well. Returns the answer and how often it was sent. */
async function call(errors: readonly ServiceError[]): Promise<[unknown, number]> {
  let sent = 0
  const answer = await openCall('ledger_unavailable')<string>(
    1_000,
    (_metadata, _options, done) => {
      done(errors[sent++] ?? null, 'done')
      // Nothing here looks at what was sent.
      return undefined as never
    },
  ).catch((error: unknown) => (error as Fault).reason)
  return [answer, sent]
}

test('a call that an ending connection refused unseen is sent again', async () => {
  const refusal = failure(status.UNAVAILABLE, refused)
  expect(await call([refusal])).toEqual(['done', 2])
  expect(await call([refusal, refusal, refusal, refusal])).toEqual(['done', 5])
})

test('a call that is refused for ever fails', async () => {
  const refusals = Array.from({ length: 20 }, () => failure(status.UNAVAILABLE, refused))
  expect(await call(refusals)).toEqual(['ledger_unavailable', 5])
})

test.each([
  [status.UNAVAILABLE, 'Connection dropped'],
  [status.UNAVAILABLE, 'too many calls in flight'],
  [status.INTERNAL, 'Received RST_STREAM with code 2'],
  [status.INTERNAL, refused],
  [status.DEADLINE_EXCEEDED, 'Deadline exceeded'],
])('a call that may have been begun is not sent again: %i %s', async (code, details) => {
  const [, sent] = await call([failure(code, details)])
  expect(sent).toBe(1)
})
