import type { AuditResponse } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { auditNeighbours } from './audit-neighbours'
import type { Finding } from './finding'
import type { Doors, LedgerDoor } from './ledgers'
import { textTable } from './text-table'

/** A large ledger takes its time. */
const deadlineMs = 600_000

/** Asks every invariant where it lives; answers the table and whether all of them hold. */
export async function auditAll(doors: Doors): Promise<{ table: string; holds: boolean }> {
  const ledgers = await Promise.all(doors.ledgers.map(auditLedger))
  const neighbours = doors.stack === undefined ? [] : await auditNeighbours(doors.stack)
  const findings = [...ledgers.flat(), ...neighbours]
  const rows = findings.map(({ where, number, statement, rows: broken, examples }) => [
    broken === 0 ? 'holds' : broken === undefined ? 'NO ANSWER' : `BROKEN BY ${String(broken)}`,
    where,
    String(number),
    statement,
    examples.join(' '),
  ])
  return { table: textTable(rows), holds: findings.every(({ rows: broken }) => broken === 0) }
}

async function auditLedger({ country, client, call }: LedgerDoor): Promise<Finding[]> {
  const { findings } = await call<AuditResponse>(deadlineMs, (metadata, options, done) =>
    client.audit({}, metadata, options, done),
  )
  return findings.map(({ rows, ...finding }) => ({ where: `ledger-${country}`, rows, ...finding }))
}
