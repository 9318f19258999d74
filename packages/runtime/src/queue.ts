import { type Processor, Queue, Worker } from 'bullmq'
import { systemClock } from './clock'
import type { Log } from './log'
import { expectEvents, notableEvents } from './metrics'
import { failureLevel } from './present-fault'
import { redisAddress, sayErrors } from './redis'
import { continueTrace, currentTrace, withTrace } from './telemetry'
import type { Trace } from './tracing'
import { waitOf } from './waits'

/** `Queue.add` can hang for ever when Redis is away at start; no request waits for it longer than this. */
const enqueueDeadlineMs = 200

/** The content of every job: ids and the trace, never a phone or an amount, because Redis stores it in clear text. */
interface JobData {
  readonly id: string
  readonly trace: Trace
}

export interface QueueOptions {
  readonly redisUrl: string
  /** Separates countries and stacks that share one Redis. */
  readonly prefix: string
  readonly name: string
  readonly log: Log
}

/** Wake-up jobs for the workers. The work itself is a row in Postgres, and the sweep finds it if its job is lost. */
export interface JobQueue {
  enqueue(id: string): Promise<void>
  close(): Promise<void>
}

export function openJobQueue(options: QueueOptions): JobQueue {
  const queue = new Queue<JobData>(options.name, {
    prefix: options.prefix,
    connection: {
      ...redisAddress(options.redisUrl),
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (tries: number) => Math.min(tries * 100, 2_000),
    },
    // The job only wakes a worker, so it is useless once it has run, in success as in failure.
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
  })
  queue.on('error', sayErrors(options.log, options.name))
  expectEvents(['job_not_queued'])
  return {
    async enqueue(id) {
      const added = queue.add(options.name, { id, trace: currentTrace() }, { jobId: id }).then(
        () => true,
        () => false,
      )
      if (!(await Promise.race([added, after(waitOf(enqueueDeadlineMs))]))) {
        notableEvents.inc({ name: 'job_not_queued' })
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

interface WorkerOptions extends QueueOptions {
  readonly concurrency: number
  /**
   * A job that waited longer than this, by the clocks of both processes, is dropped. Absent: jobs of any age are done.
   */
  readonly oldestMs?: number
}

/** Runs `work` for each job, `concurrency` at a time, inside the trace of the process that enqueued it. */
export function openWorker(
  options: WorkerOptions,
  work: (id: string) => Promise<unknown>,
): { close: () => Promise<void> } {
  const { oldestMs = Infinity } = options
  const processor: Processor<JobData> = async (job) => {
    if (systemClock.now() - job.timestamp > oldestMs) return
    await withTrace(continueTrace(job.data.trace), async () => {
      try {
        await work(job.data.id)
      } catch (error) {
        // The row is unchanged, so the sweep brings the work back.
        const facts = { error, queue: options.name, id: job.data.id }
        options.log[failureLevel(error)](facts, 'job failed')
      }
    })
  }
  const worker = new Worker<JobData>(options.name, processor, {
    prefix: options.prefix,
    concurrency: options.concurrency,
    connection: {
      ...redisAddress(options.redisUrl),
      maxRetriesPerRequest: null,
      retryStrategy: (tries: number) => Math.min(tries * 100, 2_000),
    },
  })
  worker.on('error', sayErrors(options.log, options.name))
  return {
    close: () => worker.close(true),
  }
}
