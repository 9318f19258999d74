import { ofTest } from '@malipo/testing/lazily'
import { amina, mpesa, startSimulator } from '../../start.harness'

const sim = ofTest(() => startSimulator())

test('answers the statement by GET as by POST', async () => {
  await sim.push()
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  const times = { StartDate: '2026-11-20 14:00:00', EndDate: '2026-11-20 15:00:00' }
  const fields = { ShortCode: mpesa.shortCode, ...times, OffSetValue: '0' }
  const path = '/pulltransactions/v1/query'
  const token = await sim.token()
  const posted = await sim.wire('POST', path, { token, body: JSON.stringify(fields) })
  const query = String(new URLSearchParams(fields))
  const { status, body } = await sim.wire('GET', `${path}?${query}`, { token })
  expect(status).toBe(200)
  expect(body.Response[0]).toHaveLength(1)
  expect(body.Response).toEqual(posted.body.Response)
})
