import { eventually } from '@malipo/testing/eventually'
import { openSentinels } from '@malipo/testing/sentinel'
import { openAnnounce, openChanges } from './changes'
import { openLog } from './log'
import { openJobQueue, openWorker } from './queue'
import { openRedis } from './redis'

const log = openLog('test', 'silent')
const failOverMs = 30_000

test('limits, jobs and announcements go on with the server that Sentinel promotes', async () => {
  const sentinels = await openSentinels()
  const { url: redisUrl } = sentinels
  const redis = openRedis(redisUrl, log)
  const jobs = { redisUrl, prefix: 'test', name: 'jobs', log }
  const queue = openJobQueue(jobs)
  const done: string[] = []
  const worker = openWorker({ ...jobs, concurrency: 1 }, (id) => Promise.resolve(done.push(id)))
  const changes = openChanges({ redisUrl, prefix: 'test', log })
  const announce = openAnnounce(redis, 'test')
  let changed = 0
  changes.watch('intent', () => changed++)

  let rounds = 0
  const walks = async () => {
    const id = `job-${String(++rounds)}`
    await redis.set('walks', id).catch(() => undefined)
    await queue.enqueue(id)
    announce(['intent'])
    const isKept = (await redis.get('walks').catch(() => undefined)) === id
    return isKept && done.length > 0 && changed > 0
  }
  await eventually('all three work', walks, failOverMs, 100)
  sentinels.killPrimary()
  await eventually('the primary is gone', async () => !(await walks()), failOverMs, 100)
  done.length = 0
  changed = 0
  await eventually('all three work again', walks, failOverMs, 100)

  changes.close()
  redis.disconnect()
  await Promise.all([queue.close(), worker.close()])
  sentinels.close()
})
