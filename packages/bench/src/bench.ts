import { benchCells } from './cells/command'
import { benchCounts } from './counts/command'
import { benchLedger } from './ledger'
import { benchOverload } from './overload/command'
import { benchParts } from './parts/command'
import { benchRows } from './rows'
import { benchSoak } from './soak/command'
import { benchServices } from './chain/command'
import { benchCompare } from './chain/compare'
import { benchStatement } from './statement'
import { benchWaiting } from './waiting/command'

const help = `Usage: npm run bench -- ledger | rows | statement | overload | waiting | services | parts | cells | counts | soak | compare [OPTIONS]

  ledger    settling and creating beside pgbench's TPC-B, on one PostgreSQL in one run (goals L1 to L4)
  rows      the same work on a large table beside a small one (goal L5)
  statement reading M-Pesa's statement, in rows a second
  overload  reads of checkouts at ten times what the stack serves, beside payers who pay (goal S7)
  waiting   merchants who wait for payments: how soon they are told, and what it takes of a gateway
  services  a merchant's read, a create and a whole payment beside bare express, process by process (goals S1 to S6)
  parts     where the processor time of a whole payment, a create or a read goes: by process, and by the code it is spent in
  cells     what a whole payment takes of each service with one cell a country, and with two
  counts    what one whole payment takes of calls, statements, commits and commands
  soak      many payments at a steady pace: whether memory or times grow, and whether the books hold
  compare   two results of services

Each has its own --help.
`

type Bench = (args: readonly string[]) => number | Promise<number>

const benches = new Map<string | undefined, Bench>([
  ['ledger', benchLedger],
  ['rows', benchRows],
  ['statement', benchStatement],
  ['overload', benchOverload],
  ['waiting', benchWaiting],
  ['services', benchServices],
  ['parts', benchParts],
  ['cells', benchCells],
  ['counts', benchCounts],
  ['soak', benchSoak],
  ['compare', benchCompare],
])

/** Returns the exit code. */
export async function main([what, ...args]: readonly string[]): Promise<number> {
  const bench = benches.get(what)
  if (bench !== undefined) return bench(args)
  process.stdout.write(help)
  return what === '--help' ? 0 : 2
}
