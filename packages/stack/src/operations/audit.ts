import type { AuditResponse } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { auditUpstreams } from './audit-upstreams'
import type { Finding } from './finding'
import type { Connections, LedgerConnection } from './ledgers'
import { textTable } from './text-table'

/** A large ledger takes its time. */
const deadlineMs = 600_000

/** Asks every invariant where it lives; answers the table and whether all of them hold. */
export async function auditAll(
  connections: Connections,
): Promise<{ table: string; holds: boolean }> {
  const ledgers = await Promise.all(connections.ledgers.map(auditLedger))
  const upstreams = connections.stack === undefined ? [] : await auditUpstreams(connections.stack)
  const findings = [...ledgers.flat(), ...upstreams]
  const rows = findings.map(({ where, number, statement, rows: broken, examples }) => [
    broken === 0 ? 'holds' : broken === undefined ? 'NO ANSWER' : `BROKEN BY ${String(broken)}`,
    where,
    String(number),
    statement,
    examples.join(' '),
  ])
  return { table: textTable(rows), holds: findings.every(({ rows: broken }) => broken === 0) }
}

async function auditLedger({ country, client, call }: LedgerConnection): Promise<Finding[]> {
  const { findings } = await call<AuditResponse>(deadlineMs, (metadata, options, done) =>
    client.audit({}, metadata, options, done),
  )
  return findings.map(({ rows, ...finding }) => ({ where: `ledger-${country}`, rows, ...finding }))
}
