import { fixedPorts as ports } from '../ports'
import { servicePrograms } from '../programs'
import { addressIn } from '../operations/ledgers'
import { makeSecrets } from '../secrets'
import { replicate, routesOf } from './replicate'

const database = 'postgresql://127.0.0.1:4032/x'
const { front, back } = servicePrograms({
  ...{ ports, dir: '.stack', secrets: makeSecrets(), redisUrl: 'redis://127.0.0.1:4079' },
  databases: { ledger_ke: database, ledger_ug: database, keys: database, accounts: database },
  ...{ mtnMomoPlatform: 'legacy', isTillPaid: false, hasStandby: false, airtelApiVersion: 'v1' },
})
const programs = replicate([...front, ...back], ports)
const envOf = (name: string) => programs.find((program) => program.name === name)?.env ?? {}

describe('replicas', () => {
  it('are two of each gateway, ledger and worker, and one of all others', () => {
    const names = programs.map(({ name }) => name).sort()
    expect(names).toEqual([
      ...['auth', 'console', 'gateway-ke', 'gateway-ke-2', 'gateway-ug', 'gateway-ug-2', 'keys'],
      ...['ledger-ke', 'ledger-ke-2', 'ledger-ug', 'ledger-ug-2', 'simulator'],
      ...['worker-ke', 'worker-ke-2', 'worker-ug', 'worker-ug-2'],
    ])
  })

  it('listen on different ports, and none on a port of the balancer', () => {
    const listening = programs.flatMap(({ env }) =>
      ['PORT', 'CALLBACK_PORT', 'GRPC_PORT', 'ADMIN_PORT'].flatMap((name) => env[name] ?? []),
    )
    const behind = routesOf(ports).flatMap(({ backs }) => backs.map(String))
    expect(listening).toEqual(expect.arrayContaining(behind))
    const all = [...listening, ...routesOf(ports).map(({ port }) => String(port))]
    expect(new Set(all).size).toBe(all.length)
  })

  it('have one identity and one public address', () => {
    for (const setting of ['TLS_DIR', 'BASE_URL', 'QUEUE_PREFIX', 'COUNTRY']) {
      expect(envOf('gateway-ug-2')[setting]).toBe(envOf('gateway-ug')[setting])
    }
    expect(envOf('gateway-ke-2')['BASE_URL']).toBe(
      `http://127.0.0.1:${String(ports['gateway-ke'].public)}`,
    )
  })

  it('of a ledger are both known to each of its callers', () => {
    const both = `ipv4:127.0.0.1:${String(ports['ledger-ke'].grpc)},127.0.0.1:${String(ports['ledger-ke-2'].grpc)}`
    for (const caller of ['gateway-ke', 'gateway-ke-2', 'worker-ke', 'worker-ke-2']) {
      expect(envOf(caller)['LEDGER_ADDRESS']).toBe(both)
    }
    const metrics_url = 'http://127.0.0.1:4119/metrics'
    const known = (grpc: number) => ({ pid: 1, metrics_url, address: `127.0.0.1:${String(grpc)}` })
    const one = { 'ledger-ke': known(ports['ledger-ke'].grpc) }
    const two = { ...one, 'ledger-ke-2': known(ports['ledger-ke-2'].grpc) }
    expect(addressIn({ processes: two }, 'ledger-ke')).toBe(both)
    expect(addressIn({ processes: one }, 'ledger-ke')).toBe(one['ledger-ke'].address)
    expect([envOf('auth')['LEDGER_KE_ADDRESS'], envOf('console')['LEDGER_KE_ADDRESS']]).toEqual([
      both,
      both,
    ])
  })
})
