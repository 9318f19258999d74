import { type Processor, Queue, Worker } from 'bullmq'
import type { Log } from './log'
import { eventsTotal } from './metrics'
import { sayErrors } from './redis'
import { continueTrace, currentTrace, type Trace, withTrace } from './telemetry'
import { waitOf } from './waits'

/** `Queue.add` can hang for ever when Redis is away at start; no caller may wait for it longer than this. */
const enqueueDeadlineMs = 200

/** What every job carries: ids and the trace, never a phone or an amount, because Redis keeps it in clear text. */
interface JobData {
  readonly id: string
  readonly trace: Trace
}

export interface QueueOptions {
  readonly redisUrl: string
  /** Keeps two countries, and two stacks, apart on one Redis. */
  readonly prefix: string
  readonly name: string
  readonly log: Log
}

/** Starts work in a worker at once. The row in Postgres is the truth; the sweep finds what a lost job left. */
export interface JobQueue {
  enqueue(id: string): Promise<void>
  close(): Promise<void>
}

export function openJobQueue(options: QueueOptions): JobQueue {
  const queue = new Queue<JobData>(options.name, {
    prefix: options.prefix,
    connection: {
      url: options.redisUrl,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (tries: number) => Math.min(tries * 100, 2_000),
    },
    // The job only wakes a worker up, so it is of no use afterwards, in success as in failure.
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
  })
  queue.on('error', sayErrors(options.log, options.name))
  return {
    async enqueue(id) {
      const added = queue.add(options.name, { id, trace: currentTrace() }, { jobId: id }).then(
        () => true,
        () => false,
      )
      if (!(await Promise.race([added, after(waitOf(enqueueDeadlineMs))]))) {
        eventsTotal.inc({ name: 'job_not_enqueued' })
      }
    },
    close: () => queue.close(),
  }
}

function after(milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => {
      resolve(false)
    }, milliseconds).unref()
  })
}

/** Runs `work` for each job, `concurrency` at a time, inside the trace of the sender. */
export function openWorker(
  options: QueueOptions & { readonly concurrency: number },
  work: (id: string) => Promise<unknown>,
): { close: () => Promise<void> } {
  const processor: Processor<JobData> = async (job) => {
    await withTrace(continueTrace(job.data.trace), async () => {
      try {
        await work(job.data.id)
      } catch (error) {
        // An entry point: the row is untouched, so the sweep will bring the work back.
        options.log.error({ error, queue: options.name, id: job.data.id }, 'job failed')
      }
    })
  }
  const worker = new Worker<JobData>(options.name, processor, {
    prefix: options.prefix,
    concurrency: options.concurrency,
    connection: {
      url: options.redisUrl,
      maxRetriesPerRequest: null,
      retryStrategy: (tries: number) => Math.min(tries * 100, 2_000),
    },
  })
  worker.on('error', sayErrors(options.log, options.name))
  return {
    close: () => worker.close(true),
  }
}
