import { join } from 'node:path'
import { repositoryDir } from '../migrate'
import type { Ports } from '../ports'
import { httpUrl } from '../programs'
import type { Supervisor } from '../supervisor'
import { untilReady } from '../until-ready'
import { routesOf } from './replicate'

const readyDeadlineMs = 30_000

/** Runs the balancer of the gateways as its own process, and resolves when a page comes through it. */
export async function startBalancer(options: {
  readonly ports: Ports
  readonly supervisor: Supervisor
  readonly signal: AbortSignal
}): Promise<void> {
  const { ports, supervisor, signal } = options
  const routes = routesOf(ports).map(({ port, backs }) => `${String(port)}=${backs.join(',')}`)
  const balancer = supervisor.keep('front', {
    name: 'balancer',
    command: process.execPath,
    args: [
      '--max-semi-space-size=4',
      join(repositoryDir, 'packages/stack/bin/balance.mjs'),
      ...routes,
    ],
    env: {},
    stopSignals: ['SIGTERM'],
  })
  const url = `${httpUrl(ports['gateway-ke'].public)}/docs`
  await untilReady(balancer, { url, supervisor, signal, deadlineMs: readyDeadlineMs })
}
