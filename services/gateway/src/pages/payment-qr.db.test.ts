import { qrChange, qrKey } from '@malipo/contracts/payment-qr'
import { ofFile } from '@malipo/testing/lazily'
import { testRedisUrl } from '@malipo/testing/redis'
import { Redis } from 'ioredis'
import { rush } from '../limits/rush.harness'
import { send } from '../send.harness'
import { startHost } from '../start.harness'

const host = ofFile(() => startHost({ businessNumber: '174379', isQrOn: true }))
const merchant = ofFile(() => host.merchant())
const redis = new Redis(testRedisUrl())
afterAll(() => {
  redis.disconnect()
})

const checkout = async () => (await host.checkout(merchant, { amount: 150_000 })).id

/** Leaves a picture where a worker does; an empty one where the provider drew none. */
async function leave(id: string, picture: string): Promise<void> {
  await redis.set(qrKey(host.queuePrefix, id), picture, 'EX', 600)
  host.announce([qrChange(id)])
}

test('returns the picture that was drawn, from the budget of page views', async () => {
  const id = await checkout()
  await leave(id, 'picture')
  const { status, headers, text } = await host.ask(`/c/${id}/pay.png`)
  expect([status, headers['content-type'], text]).toEqual([200, 'image/png', 'picture'])
  expect(headers['ratelimit-policy']).toMatch(/^"page"/)
})

test('returns 503 where none was drawn, and 404 for a checkout that has expired', async () => {
  const id = await checkout()
  await leave(id, '')
  expect((await host.ask(`/c/${id}/pay.png`)).status).toBe(503)
  await host.expire(id)
  expect((await host.ask(`/c/${id}/pay.png`)).status).toBe(404)
})

test('leaves room for reads while as many pictures are being drawn as reads run at once', async () => {
  const id = await checkout()
  const waiting = await rush(`${host.url}/c/${id}/pay.png`, 48)
  expect((await send(`${host.url}/docs/openapi.json`)).status).toBe(200)
  await leave(id, 'picture')
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['200']))
})
