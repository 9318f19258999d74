import { eventually } from '@malipo/testing/eventually'
import { openSentinels } from '@malipo/testing/sentinel'
import { openAnnounce, openChanges } from './changes'
import { openLog } from './log'
import { openJobQueue, openWorker } from './queue'
import { openRedis } from './redis'
import { openImpatient } from './waits.harness'

const log = openLog('test', 'silent')
const failOverMs = 45_000

// A server stopped by SIGSTOP closes no connection, like one whose machine is lost.
test.each(['SIGKILL', 'SIGSTOP'] as const)(
  'limits, jobs and announcements go on with the server that Sentinel promotes after a %s',
  async (signal) => {
    const sentinels = await openSentinels()
    const { url: redisUrl } = sentinels
    const jobs = { redisUrl, prefix: 'test', name: 'jobs', log }
    const done: string[] = []
    const work = (id: string) => Promise.resolve(done.push(id))
    const { redis, queue, worker, changes } = await openImpatient(() =>
      Promise.resolve({
        redis: openRedis(redisUrl, log),
        queue: openJobQueue(jobs),
        worker: openWorker({ ...jobs, concurrency: 1 }, work),
        changes: openChanges(jobs),
      }),
    )
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
    sentinels.signalPrimary(signal)
    await eventually('the primary is gone', async () => !(await walks()), failOverMs, 100)
    done.length = 0
    changed = 0
    await eventually('all three work again', walks, failOverMs, 100)

    changes.close()
    redis.disconnect()
    await Promise.all([queue.close(), worker.close()])
    sentinels.close()
  },
)
