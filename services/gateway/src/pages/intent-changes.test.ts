import type { Request, Response } from 'express'
import { afterClientLeft } from '../left-client.harness'
import { openStreams } from './intent-changes'

test('gives no stream place to a page that left before its stream began', async () => {
  const streams = openStreams({
    changes: { watch: () => () => undefined },
    clientAddress: () => '198.18.0.1',
    limitRate: () => Promise.resolve(() => Promise.resolve()),
    streamsMax: 1,
  })
  const answer = await afterClientLeft((request, response) => {
    const params = { id: `pi_${'0'.repeat(24)}` }
    return streams.intentChanges(
      Object.assign(request, { params }) as unknown as Request,
      response as Response,
    )
  })
  streams.close()
  expect([answer.status, answer.stream]).toEqual([204, undefined])
})
