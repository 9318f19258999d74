import { Queue } from 'bullmq'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl, uniquePrefix } from '@malipo/testing/redis'
import { systemClock } from './clock'
import { openLog } from './log'
import { openWorker } from './queue'
import { redisAddress } from './redis'
import { currentTrace } from './telemetry'

test('a worker drops a job that has waited longer than `oldestMs`', async () => {
  const jobs = { redisUrl: testRedisUrl(), prefix: uniquePrefix(), name: 'jobs' }
  const connection = redisAddress(jobs.redisUrl)
  const queue = new Queue(jobs.name, { prefix: jobs.prefix, connection })
  const trace = currentTrace()
  await queue.add('job', { id: 'old', trace }, { timestamp: systemClock.now() - 3_600_000 })
  await queue.add('job', { id: 'new', trace })
  const done: string[] = []
  const worker = openWorker(
    { ...jobs, log: openLog('test', 'silent'), concurrency: 1, oldestMs: 600_000 },
    (id) => Promise.resolve(done.push(id)),
  )
  await eventually('the new job is done', () => done.includes('new'))
  expect(done).toEqual(['new'])
  await Promise.all([worker.close(), queue.close()])
})
