import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ask } from '../ask'
import type { Supervisor } from '../supervisor'
import { writePrivateFile } from '../private-file'
import { rulesDir } from './alert-rules'
import { providePrometheus } from './provide-prometheus'

export interface ObserveOptions {
  /** The folder of the stack. */
  readonly dir: string
  readonly url: URL
  /** What is measured: processes by name, such as `ledger-ke`, with the host and port of their metrics. */
  readonly targets: readonly { readonly name: string; readonly address: string }[]
  readonly supervisor: Supervisor
  readonly environment: NodeJS.ProcessEnv
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

const scrapeSeconds = 5
const readyDeadlineMs = 30_000

/** Runs Prometheus beside the stack, with the alert rules loaded, and resolves when it answers. */
export async function observe(given: ObserveOptions): Promise<void> {
  const { dir, url, supervisor, environment, signal } = given
  const dataDir = join(dir, 'prometheus')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const configuration = join(dataDir, 'prometheus.json')
  writePrivateFile(configuration, JSON.stringify(configurationOf(given)))
  const { server } = await providePrometheus(given.say)
  const prometheus = supervisor.keep('front', {
    name: 'prometheus',
    command: server,
    args: [
      `--config.file=${configuration}`,
      `--storage.tsdb.path=${join(dataDir, 'data')}`,
      '--storage.tsdb.retention.size=256MB',
      `--web.listen-address=${url.host}`,
      '--log.level=warn',
    ],
    env: environment,
    stopSignals: ['SIGTERM'],
  })
  const deadline = performance.now() + readyDeadlineMs
  for (;;) {
    signal.throwIfAborted()
    const answer = await ask(`${url.origin}/-/ready`, 1_000).catch(String)
    if (typeof answer !== 'string' && answer.status === 200) return
    if (supervisor.hasGivenUp(prometheus) || performance.now() > deadline) {
      throw supervisor.failure(
        prometheus,
        new Error(typeof answer === 'string' ? answer : answer.body),
      )
    }
    await wait(100)
  }
}

/** JSON, which is YAML. The labels are those of the rules: `job` is the service, `country` where it has one. */
function configurationOf({ targets }: ObserveOptions): object {
  return {
    global: {
      scrape_interval: `${String(scrapeSeconds)}s`,
      evaluation_interval: `${String(scrapeSeconds)}s`,
    },
    rule_files: [join(rulesDir, '*.yaml')],
    scrape_configs: [
      {
        job_name: 'malipo',
        static_configs: targets.map(({ name, address }) => {
          const [, job = name, country] = /^(.*)-(ke|ug)$/.exec(name) ?? []
          const labels = { job, ...(country !== undefined && { country }) }
          return { targets: [address], labels }
        }),
      },
    ],
  }
}
