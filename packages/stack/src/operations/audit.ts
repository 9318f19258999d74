import { auditDetached } from '../retention/audit-detached'
import { auditServices } from './audit-services'
import type { DetachedFiles } from './detached-files'
import type { Finding } from './finding'
import type { LedgerConnection } from '@malipo/ledger-client/connection'
import type { Connections } from './ledgers'
import { textTable } from './text-table'

/** A large ledger takes its time. */
const deadlineMs = 600_000

/** Asks every invariant where it lives, and the files of `detached`; returns the table and whether all of them hold. */
export async function auditAll(
  connections: Connections,
  detached?: DetachedFiles,
): Promise<{ table: string; holds: boolean }> {
  const ledgers = await Promise.all(connections.ledgers.map(auditLedger))
  const services = connections.stack === undefined ? [] : await auditServices(connections.stack)
  const files = detached === undefined ? [] : await auditFiles(connections, detached)
  const findings = [...ledgers.flat(), ...services, ...files]
  const rows = findings.map(({ where, number, statement, rows: broken, examples }) => [
    broken === 0 ? 'holds' : broken === undefined ? 'NO ANSWER' : `BROKEN BY ${String(broken)}`,
    where,
    String(number),
    statement,
    examples.join(' '),
  ])
  return { table: textTable(rows), holds: findings.every(({ rows: broken }) => broken === 0) }
}

async function auditFiles({ ledgers }: Connections, detached: DetachedFiles): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { country } of ledgers)
    findings.push(...(await auditDetached(detached.ownerUrl(country), detached.dir)))
  return findings
}

async function auditLedger({ country, within }: LedgerConnection): Promise<Finding[]> {
  const { findings } = await within(deadlineMs).audit({})
  return findings.map(({ rows, ...finding }) => ({ where: `ledger-${country}`, rows, ...finding }))
}
