import { benchLedger } from './ledger'
import { benchOverload } from './overload/command'
import { benchRows } from './rows'

const help = `Usage: npm run bench -- ledger | rows | overload [OPTIONS]

  ledger   settling and creating beside pgbench's TPC-B, on one PostgreSQL in one run (goals L1 to L4)
  rows     the same work on a large table beside a small one (goal L5)
  overload reads of checkouts at ten times what the stack serves, beside payers who pay (goal S7)

Each has a --help of its own.
`

/** Answers the exit code. */
export async function main([what, ...args]: readonly string[]): Promise<number> {
  if (what === 'ledger') return benchLedger(args)
  if (what === 'rows') return benchRows(args)
  if (what === 'overload') return benchOverload(args)
  process.stdout.write(help)
  return what === '--help' ? 0 : 2
}
