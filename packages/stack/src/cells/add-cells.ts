import type { Country } from '@malipo/kernel/countries'
import { copyMarkFileOf } from '../operations/restored'
import type { Ports } from '../ports'
import { httpUrl, type ServiceProgram } from '../programs'
import { secondShortcode } from '../provider-settings'
import type { StackFile } from '../stack-file'

export interface Cells {
  readonly dir: string
  readonly ports: Ports
  /** The URLs by which services connect, those of the second cells included. */
  readonly databases: StackFile['databases']
}

/**
 * The same programs with a second cell in each country: a ledger with its own database and a worker beside the first
 * ones, and a console for the operators of the second cells. Gateways, auth and the simulator know both cells.
 */
export function addCells(programs: readonly ServiceProgram[], cells: Cells): ServiceProgram[] {
  return programs.flatMap((program) => partsOf[program.service]?.(program, cells) ?? [program])
}

/** Returns a program as it runs beside a second cell, followed by its counterpart in that cell, if it has one. */
type Parts = (program: ServiceProgram, cells: Cells) => readonly ServiceProgram[]

const partsOf: Readonly<Record<string, Parts>> = {
  gateway: (program, { ports }) => [
    withEnv(program, {
      LEDGER_CELLS: ledgerAt(countryOf(program), ports),
      ...(program.env['MPESA_SHORTCODE'] !== undefined && {
        MPESA_SHORTCODE_CELLS: secondShortcode,
      }),
    }),
  ],
  ledger(program, { dir, ports, databases }) {
    const country = countryOf(program)
    const first = withEnv(program, { CELL: '0' })
    if (program.name !== `ledger-${country}`) return [first]
    const name = `ledger-${country}-cell-1` as const
    const { grpc, admin } = ports[name]
    const env = {
      ...{ CELL: '1', PORT: String(grpc), ADMIN_PORT: String(admin) },
      DATABASE_URL: databases[`ledger_${country}_cell_1`] ?? '',
      COPY_MARK_FILE: copyMarkFileOf(dir, country, 1),
    }
    return [first, { ...withEnv(program, env), name, adminPort: admin }]
  },
  worker(program, { ports }) {
    const country = countryOf(program)
    if (program.name !== `worker-${country}`) return [program]
    const name = `worker-${country}-cell-1` as const
    const { admin } = ports[name]
    const env = {
      ...{ CELL: '1', ADMIN_PORT: String(admin), LEDGER_ADDRESS: ledgerAt(country, ports) },
      CALLBACK_BASE_URL: `${program.env['CALLBACK_BASE_URL'] ?? ''}/cells/1`,
      ...(country === 'ke' && { MPESA_SHORTCODE: secondShortcode }),
    }
    return [program, { ...withEnv(program, env), name, adminPort: admin }]
  },
  auth: (program, { ports }) => [
    withEnv(program, {
      LEDGER_KE_CELLS: ledgerAt('ke', ports),
      LEDGER_UG_CELLS: ledgerAt('ug', ports),
    }),
  ],
  simulator: (program) => [withEnv(program, { MPESA_SHORTCODE_CELLS: secondShortcode })],
  console(program, { ports }) {
    const name = 'console-cell-1' as const
    const { public: port, admin } = ports[name]
    const env = {
      ...{ PORT: String(port), ADMIN_PORT: String(admin), CONSOLE_URL: httpUrl(port) },
      LEDGER_KE_ADDRESS: ledgerAt('ke', ports),
      LEDGER_UG_ADDRESS: ledgerAt('ug', ports),
    }
    return [program, { ...withEnv(program, env), name, adminPort: admin }]
  },
}

function countryOf({ env }: ServiceProgram): Country {
  return env['COUNTRY'] === 'ug' ? 'ug' : 'ke'
}

function withEnv(program: ServiceProgram, env: Readonly<Record<string, string>>): ServiceProgram {
  return { ...program, env: { ...program.env, ...env } }
}

function ledgerAt(country: Country, ports: Ports): string {
  return `127.0.0.1:${String(ports[`ledger-${country}-cell-1`].grpc)}`
}
