import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StackFile } from '@malipo/stack/stack-file'
import { type FaultProxy, type NetworkFault, openFaultProxy } from './fault-proxy'

/** Faults of the network before the servers `postgres`, `redis` and `simulator`. */
export interface FaultNetwork {
  begin(server: string, fault: NetworkFault): void
  end(server: string): void
  stop(): Promise<void>
}

/** Opens a proxy before each server. New connections of services go through it; open ones stay as they are. */
export async function openFaultNetwork(stack: StackFile, dir: string): Promise<FaultNetwork> {
  const urls = {
    postgres: stack.databases.ledger_ke,
    redis: stack.redis,
    simulator: stack.simulator.url,
  }
  const proxies = new Map<string, FaultProxy>()
  const table: Record<number, number> = {}
  for (const [name, url] of Object.entries(urls)) {
    const port = Number(new URL(url).port)
    const proxy = await openFaultProxy(port)
    proxies.set(name, proxy)
    table[port] = proxy.port
  }
  const write = (ports: object) => {
    writeFileSync(join(dir, 'network.json'), JSON.stringify(ports))
  }
  write(table)
  return {
    begin: (server, fault) => proxies.get(server)?.begin(fault),
    end: (server) => proxies.get(server)?.end(),
    async stop() {
      write({})
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()))
    },
  }
}
