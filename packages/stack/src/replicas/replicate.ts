import type { Country } from '@malipo/kernel/countries'
import type { Ports } from '../ports'
import type { ServiceProgram } from '../programs'
import type { Route } from './balancer'

type Replicated = `${'gateway' | 'ledger' | 'worker'}-${Country}`

const countries = ['ke', 'ug'] as const
const host = '127.0.0.1'

/**
 * The same programs with a second gateway, ledger and worker in each country. The gateways listen behind the balancer,
 * and every caller of a ledger knows both of them.
 */
export function replicate(programs: readonly ServiceProgram[], ports: Ports): ServiceProgram[] {
  const bothLedgers = new Map(countries.map((country) => ledgersOf(country, ports)))
  const isReplicated = (name: string): name is Replicated => `${name}-2` in ports
  return programs.flatMap((program) => {
    const settings = Object.entries(program.env)
    const known = settings.map(([name, value]) => [name, bothLedgers.get(value) ?? value])
    const env = Object.fromEntries(known) as Record<string, string>
    const { name } = program
    const names = isReplicated(name) ? ([name, `${name}-2`] as const) : []
    const replicas = names.map((each) => replicaOf({ ...program, env }, each, ports))
    return replicas.length > 0 ? replicas : [{ ...program, env }]
  })
}

function replicaOf(
  program: ServiceProgram,
  name: Replicated | `${Replicated}-2`,
  ports: Ports,
): ServiceProgram {
  const own = ports[name]
  const env = {
    ...program.env,
    ADMIN_PORT: String(own.admin),
    ...('grpc' in own && { PORT: String(own.grpc) }),
    ...('publicBehind' in own && {
      PORT: String(own.publicBehind),
      CALLBACK_PORT: String(own.callbacksBehind),
    }),
  }
  return { ...program, name, adminPort: own.admin, env }
}

/** Returns a ledger's address, and the one for both replicas: grpc-js takes a list of addresses after `ipv4:`. */
function ledgersOf(country: Country, ports: Ports): [string, string] {
  const one = `${host}:${String(ports[`ledger-${country}`].grpc)}`
  const other = `${host}:${String(ports[`ledger-${country}-2`].grpc)}`
  return [one, `ipv4:${one},${other}`]
}

/** The public ports of the gateways, which the balancer has, and the gateways behind each. */
export function routesOf(ports: Ports): Route[] {
  return countries.flatMap((country) => {
    const one = ports[`gateway-${country}`]
    const other = ports[`gateway-${country}-2`]
    return [
      { port: one.public, backs: [one.publicBehind, other.publicBehind] },
      { port: one.callbacks, backs: [one.callbacksBehind, other.callbacksBehind] },
    ]
  })
}
