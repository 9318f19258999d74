import type { Log } from './log'

/** How long a process may take to stop before it is ended by force. The supervisor allows five seconds. */
const stopDeadlineMs = 4_500

/** What a service's `start` returns: the ports it got, and how to stop it. */
export interface Started {
  readonly ports: Readonly<Record<string, number>>
  stop(): Promise<void>
}

/** The closers of what a service has opened, written beside each opening and run in reverse. */
export class Opened {
  readonly #closers: { readonly name: string; readonly close: () => unknown }[] = []
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /** `close` may return a promise, which is waited for. */
  add(name: string, close: () => unknown): void {
    this.#closers.push({ name, close })
  }

  /** Closes everything; one that fails is logged and does not keep the others open. */
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
 * The life of a process: start, stop on SIGTERM or SIGINT, exit code 1 when it cannot start or something was thrown
 * that was not caught. Supervisors restart it; a process in an unknown state does not go on handling money.
 */
export async function run(log: Log, start: () => Promise<Started>): Promise<void> {
  const die = (error: unknown) => {
    log.fatal({ error }, 'ending after an uncaught error')
    process.exit(1)
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', die)
  const started = await start().catch((error: unknown) => {
    log.fatal({ error }, 'could not start')
    return process.exit(1)
  })
  log.info({ ports: started.ports }, 'started')
  const stop = (signal: string) => {
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), stopDeadlineMs).unref()
    started.stop().then(
      () => {
        log.info('stopped')
        process.exit(0)
      },
      (error: unknown) => {
        die(error)
      },
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
