import type { Log } from './log'
import { startTracing } from './tracing'

/** A process that has not stopped after this time exits with 1, so that one hanging connection delays no restart. */
export const stopDeadlineMs = 4_500

/** The result of a service's `start`: its ports, and how to stop it. */
export interface Started {
  readonly ports: Readonly<Record<string, number>>
  /** Runs before `stop`, and makes the clients of this process connect to other replicas. */
  drain?(): Promise<unknown>
  stop(): Promise<void>
}

/** Closers of opened resources, each added where its resource is opened, and run in reverse. */
export class Opened {
  readonly #closers: { readonly name: string; readonly close: () => unknown }[] = []
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /** A returned promise is awaited. */
  add(name: string, close: () => unknown): void {
    this.#closers.push({ name, close })
  }

  /** Closes everything; a closer that fails is logged, and the others still run. */
  async closeAll(): Promise<void> {
    for (let closer = this.#closers.pop(); closer; closer = this.#closers.pop()) {
      try {
        await closer.close()
      } catch (error) {
        this.#log.error({ error, closing: closer.name }, 'could not close')
      }
    }
  }
}

/**
 * Runs a process: starts it, stops it on SIGTERM or SIGINT, and exits with 1 on a failed start or an uncaught error.
 * The supervisor restarts it; a process in an unknown state must not continue handling money.
 */
export async function run(
  log: Log,
  environment: NodeJS.ProcessEnv,
  start: () => Promise<Started>,
): Promise<void> {
  const die = (error: unknown): never => {
    log.fatal({ error }, 'uncaught error; exiting')
    return process.exit(1)
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', die)
  const stopTracing = await startTracing(nameOf(log), environment).catch(die)
  const started = await start().catch((error: unknown) => {
    log.fatal({ error }, 'could not start')
    return process.exit(1)
  })
  log.info({ ports: started.ports }, 'started')
  const stop = (signal: string) => {
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), stopDeadlineMs).unref()
    const stopAll = async () => {
      await started.drain?.()
      await started.stop()
      await stopTracing()
      log.info('stopped')
      process.exit(0)
    }
    stopAll().catch(die)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

/** The process in traces, named as its certificate is: `ledger-ke`. */
function nameOf(log: Log): string {
  const { service, country } = log.bindings()
  return [service, country].filter((part) => typeof part === 'string').join('-')
}
