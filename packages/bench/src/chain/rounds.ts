import { openProgress } from '@malipo/testing/command'
import { measure as measureScript, tpcB } from '../pgbench'
import { measure, type Measured } from './measure'
import type { Merchants } from './merchants'
import type { Payer } from './payers'
import type { Level, Round } from './report'
import { askFloor, create, pay, read, requestsOfPayment } from './units'

export interface RoundsOptions {
  readonly rounds: number
  readonly units: number
  readonly port: number
  readonly floor: { readonly pid: number; readonly port: number }
  readonly processes: Readonly<Record<string, { readonly pid: number }>>
  readonly merchants: Merchants
  readonly nextPayer: () => Payer
  readonly pgbench: string
  /** Where TPC-B has its tables. */
  readonly tpcBUrl: string
}

const inFlights = [1, 16, 64]
const paymentsShare = 5
const floorShare = 5
const tpcBClients = 16
const tpcBSeconds = 5
/** How many units run before the first measurement: a unit costs twice as much on a stack that has just started. */
const warmUpUnits = 500

export async function measureRounds(options: RoundsOptions): Promise<readonly Round[]> {
  const show = openProgress('levels', options.rounds * inFlights.length)
  process.stderr.write('warming up\n')
  await measureLevel({ ...options, units: warmUpUnits }, 16)
  const rounds: Round[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    const levels: Level[] = []
    for (const inFlight of inFlights) {
      levels.push(await measureLevel(options, inFlight))
      show(round * inFlights.length + levels.length)
    }
    rounds.push({ levels, tpcB: await measureTpcB(options) })
  }
  return rounds
}

async function measureTpcB({ pgbench, tpcBUrl, processes }: RoundsOptions): Promise<number> {
  const { postgres } = processes
  if (postgres === undefined) throw new Error('the stack uses a PostgreSQL that is not embedded')
  const database = { url: tpcBUrl, pid: postgres.pid }
  const load = { database, script: tpcB, clients: tpcBClients, seconds: tpcBSeconds }
  return (await measureScript(pgbench, load)).pace
}

async function measureLevel(options: RoundsOptions, inFlight: number): Promise<Level> {
  return {
    inFlight,
    floorGet: await measureFloor(options, inFlight, 'GET'),
    floorPost: await measureFloor(options, inFlight, 'POST'),
    read: await measureReads(options, inFlight, 'openId'),
    readPaid: await measureReads(options, inFlight, 'paidId'),
    create: await measureCreates(options, inFlight),
    payment: await measurePayments(options, inFlight),
  }
}

function measureFloor({ floor, units }: RoundsOptions, inFlight: number, method: 'GET' | 'POST') {
  return measure({
    ...{ port: floor.port, processes: { express: floor }, inFlight },
    units: units * floorShare,
    run: (connection) => askFloor(connection, method),
  })
}

function measureReads(
  { merchants, units, port, processes }: RoundsOptions,
  inFlight: number,
  which: 'openId' | 'paidId',
): Promise<Measured> {
  return merchants.withBudget(units, (accountOf) =>
    measure({
      ...{ port, processes, inFlight, units },
      run(connection, unit) {
        const account = accountOf(unit)
        return read(connection, account.secretKey, account[which])
      },
    }),
  )
}

function measureCreates(
  { merchants, units, port, processes }: RoundsOptions,
  inFlight: number,
): Promise<Measured> {
  return merchants.withBudget(units, (accountOf) =>
    measure({
      ...{ port, processes, inFlight, units },
      run: (connection, unit) => create(connection, accountOf(unit).secretKey),
    }),
  )
}

function measurePayments(options: RoundsOptions, inFlight: number): Promise<Measured> {
  const { merchants, port, processes, nextPayer } = options
  const units = Math.ceil(options.units / paymentsShare)
  return merchants.withBudget(units * requestsOfPayment, (accountOf) =>
    measure({
      ...{ port, processes, inFlight, units },
      run(connection, unit) {
        const { secretKey } = accountOf(unit * requestsOfPayment)
        return pay(connection, { secretKey, ...nextPayer() })
      },
    }),
  )
}
