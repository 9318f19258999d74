import { benchCounts } from './counts/command'
import { benchLedger } from './ledger'
import { benchOverload } from './overload/command'
import { benchRows } from './rows'
import { benchServices } from './chain/command'
import { benchCompare } from './chain/compare'
import { benchStatement } from './statement'
import { benchWaiting } from './waiting/command'

const help = `Usage: npm run bench -- ledger | rows | statement | overload | waiting | services | counts | compare [OPTIONS]

  ledger    settling and creating beside pgbench's TPC-B, on one PostgreSQL in one run (goals L1 to L4)
  rows      the same work on a large table beside a small one (goal L5)
  statement reading M-Pesa's statement, in rows a second
  overload  reads of checkouts at ten times what the stack serves, beside payers who pay (goal S7)
  waiting   merchants who wait for payments: how soon they are told, and what it takes of a gateway
  services  a merchant's read, a create and a whole payment beside bare express, process by process (goals S1 to S6)
  counts    what one whole payment takes of calls, statements, commits and commands
  compare   two results of services

Each has a --help of its own.
`

/** Returns the exit code. */
export async function main([what, ...args]: readonly string[]): Promise<number> {
  if (what === 'ledger') return benchLedger(args)
  if (what === 'rows') return benchRows(args)
  if (what === 'statement') return benchStatement(args)
  if (what === 'overload') return benchOverload(args)
  if (what === 'waiting') return benchWaiting(args)
  if (what === 'services') return benchServices(args)
  if (what === 'counts') return benchCounts(args)
  if (what === 'compare') return benchCompare(args)
  process.stdout.write(help)
  return what === '--help' ? 0 : 2
}
