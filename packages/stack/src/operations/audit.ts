import { auditServices } from './audit-services'
import type { Finding } from './finding'
import type { LedgerConnection } from '@malipo/ledger-client/connection'
import type { Connections } from './ledgers'
import { textTable } from './text-table'

/** A large ledger takes its time. */
const deadlineMs = 600_000

/** Asks every invariant where it lives; answers the table and whether all of them hold. */
export async function auditAll(
  connections: Connections,
): Promise<{ table: string; holds: boolean }> {
  const ledgers = await Promise.all(connections.ledgers.map(auditLedger))
  const services = connections.stack === undefined ? [] : await auditServices(connections.stack)
  const findings = [...ledgers.flat(), ...services]
  const rows = findings.map(({ where, number, statement, rows: broken, examples }) => [
    broken === 0 ? 'holds' : broken === undefined ? 'NO ANSWER' : `BROKEN BY ${String(broken)}`,
    where,
    String(number),
    statement,
    examples.join(' '),
  ])
  return { table: textTable(rows), holds: findings.every(({ rows: broken }) => broken === 0) }
}

async function auditLedger({ country, within }: LedgerConnection): Promise<Finding[]> {
  const { findings } = await within(deadlineMs).audit({})
  return findings.map(({ rows, ...finding }) => ({ where: `ledger-${country}`, rows, ...finding }))
}
