import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Supervisor } from '../supervisor'
import { writePrivateFile } from '../private-file'
import { untilReady } from '../until-ready'
import { alertmanagerFile, writeRules } from './alert-rules'
import { provideAlertmanager, providePrometheus } from './provide-prometheus'

export interface ObserveOptions {
  /** The folder of the stack. */
  readonly dir: string
  readonly url: URL
  readonly alertmanagerUrl: URL
  /** The processes to scrape, such as `ledger-ke`, each with the host and port of its metrics. */
  readonly targets: readonly { readonly name: string; readonly address: string }[]
  readonly supervisor: Supervisor
  readonly environment: NodeJS.ProcessEnv
  readonly onProgress: (line: string) => void
  readonly signal: AbortSignal
}

const scrapeSeconds = 5
const readyDeadlineMs = 30_000

/** Runs Prometheus and Alertmanager beside the stack, with the alert rules loaded, and resolves when both answer. */
export async function observe(given: ObserveOptions): Promise<void> {
  const { dir, url, alertmanagerUrl, supervisor, environment } = given
  const dataDir = join(dir, 'prometheus')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const configuration = join(dataDir, 'prometheus.json')
  writePrivateFile(configuration, JSON.stringify(configurationOf(given)))
  const { server } = await providePrometheus(given.onProgress)
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
  const alertmanager = supervisor.keep('front', {
    name: 'alertmanager',
    command: (await provideAlertmanager(given.onProgress)).server,
    args: [
      `--config.file=${alertmanagerFile}`,
      `--storage.path=${join(dataDir, 'alertmanager')}`,
      `--web.listen-address=${alertmanagerUrl.host}`,
      // A single Alertmanager listens for no peers.
      '--cluster.listen-address=',
      '--log.level=warn',
    ],
    env: environment,
    stopSignals: ['SIGTERM'],
  })
  await Promise.all(
    (
      [
        [prometheus, url],
        [alertmanager, alertmanagerUrl],
      ] as const
    ).map(([program, { origin }]) =>
      untilReady(program, { ...given, url: `${origin}/-/ready`, deadlineMs: readyDeadlineMs }),
    ),
  )
}

/** The configuration in JSON, which is YAML. */
function configurationOf({ dir, targets, alertmanagerUrl }: ObserveOptions): object {
  return {
    global: {
      scrape_interval: `${String(scrapeSeconds)}s`,
      evaluation_interval: `${String(scrapeSeconds)}s`,
    },
    alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanagerUrl.host] }] }] },
    rule_files: writeRules(join(dir, 'prometheus/rules')),
    scrape_configs: [
      {
        job_name: 'malipo',
        static_configs: targets.map(({ name, address }) => ({
          targets: [address],
          labels: labelsOf(name),
        })),
      },
    ],
  }
}

/**
 * The labels that the rules ask for, as in a cluster: `job` is the service, and `country` is that of the process,
 * followed by its cell unless that is the first: `ke-cell-1`.
 */
export function labelsOf(process: string): Readonly<Record<string, string>> {
  const parts = /^(?<job>.*?)(?:-(?<country>(?:ke|ug)(?:-cell-1)?))?(?:-cell-1)?(?:-2)?$/
  const { job = process, country } = parts.exec(process)?.groups ?? {}
  return { job, ...(country !== undefined && { country }) }
}
