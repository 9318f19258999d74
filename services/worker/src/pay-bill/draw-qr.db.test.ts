import { drawQrJob, qrChange, qrKey } from '@malipo/contracts/payment-qr'
import { openLog } from '@malipo/runtime/log'
import type { Started } from '@malipo/runtime/process'
import { openJobQueue } from '@malipo/runtime/queue'
import { openRedis } from '@malipo/runtime/redis'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl } from '@malipo/testing/redis'
import { openSurroundings, type Surroundings } from '../start.harness'

const log = openLog('test', 'silent')

let around: Surroundings
let worker: Started

beforeAll(async () => {
  around = await openSurroundings()
  worker = await around.startWorker()
})

afterAll(async () => {
  await worker.stop()
  await around.stop()
})

test('a QR code that was drawn is not drawn again, and is announced again', async () => {
  const { checkoutId } = await around.pay(await around.addPhone('ask'))
  const prefix = String(around.workerVariables()['QUEUE_PREFIX'])
  const redis = openRedis(testRedisUrl(), log)
  const queue = openJobQueue({ redisUrl: testRedisUrl(), prefix, name: drawQrJob, log })
  await eventually('Redis is there', () => redis.status === 'ready')
  const announced = around.announced(qrChange(checkoutId))
  const isAnnounced = (times: number) => async () => {
    // While a job for the checkout runs, this adds no second one.
    await queue.enqueue(checkoutId)
    return (announced() ?? 0) >= times
  }
  await eventually('the code is drawn', isAnnounced(1))
  const picture = await redis.getBuffer(qrKey(prefix, checkoutId))
  expect(picture?.length).toBeGreaterThan(100)
  await around.control('POST', '/rules', { on: 'qr', effect: { kind: 'error', error: 'internal' } })
  // One job may have begun before the rule was set, so two more announcements are awaited.
  await eventually('it is announced again', isAnnounced((announced() ?? 0) + 2))
  expect(await redis.getBuffer(qrKey(prefix, checkoutId))).toEqual(picture)
  redis.disconnect()
  await queue.close()
})
