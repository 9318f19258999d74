import type { AddressInfo } from 'node:net'
import { openLog } from '@malipo/runtime/log'
import express from 'express'
import { openSpillFile } from '../book/spill-file'
import { jsonAnswer, type Rail } from '../providers/rules/rail'
import { openSessions } from '../sessions/sessions'
import { wallMs } from '../start.harness'
import { openDelivery } from './deliver'
import { wireMiddleware } from './wire-middleware'

/** A provider with a fault in one of its two calls. */
const faulty: Rail = {
  name: 'faulty',
  businesses: [],
  operations: [
    {
      moment: 'query',
      method: 'POST',
      path: '/broken',
      understand() {
        throw new Error('a fault')
      },
    },
    {
      moment: 'query',
      method: 'POST',
      path: '/whole',
      understand: () => ({
        kind: 'understood',
        facets: {},
        perform: () => ({ answer: jsonAnswer(200, {}) }),
      }),
    },
  ],
  errorNames: [],
  errorAnswer: (name) => jsonAnswer(500, { error: name }),
  stray: () => undefined,
}

test('a fault in one call is answered as an internal error of its provider, and the next call is served', async () => {
  const clock = { now: () => wallMs }
  const delivery = openDelivery(clock)
  const sessions = openSessions(
    {
      clock,
      capacity: { bookRows: 10, requests: 10, events: 10 },
      deliver: delivery.deliver,
      railMakers: [() => faulty],
      newSeed: () => 'test',
      openSpill: openSpillFile,
      profile: 'as-observed',
    },
    'test',
  )
  const app = express().use(wireMiddleware(sessions, openLog('simulator', 'silent')))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const call = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`, {
      method: 'POST',
      body: '{}',
    })
    return [answer.status, await answer.text()]
  }
  expect(await call('/broken')).toEqual([500, '{"error":"internal"}'])
  expect(await call('/whole')).toEqual([200, '{}'])
  server.close()
  server.closeAllConnections()
  sessions.stop()
  delivery.stop()
})
