import { Fault } from '@malipo/kernel/errors'
import { isDatabaseAway } from '@malipo/runtime/database'
import { deadlineMaxMs } from '@malipo/runtime/waits'
import { auditDetached } from '../retention/audit-detached'
import { auditServices, unaskedServices } from './audit-services'
import type { DetachedFiles } from './detached-files'
import type { Finding, Unasked } from './finding'
import type { CellConnection, Connections } from './ledgers'
import { textTable } from './text-table'

interface AuditWhat {
  readonly detached?: DetachedFiles | undefined
  /** Asks the standbys of the ledgers, and nothing else. */
  readonly onStandby?: boolean
}

/**
 * Checks every invariant in its own database, and the files of `detached`. Returns the table, which names what was not
 * asked too, and whether all that was asked holds.
 */
export async function auditAll(
  connections: Connections,
  { detached, onStandby }: AuditWhat = {},
): Promise<{ table: string; holds: boolean }> {
  const ledgers = await Promise.all(
    connections.ledgers.map((ledger) =>
      (onStandby ? auditStandby(ledger) : auditLedger(ledger)).catch(unanswered(ledger)),
    ),
  )
  const services =
    onStandby || connections.stack === undefined ? [] : await auditServices(connections.stack)
  const files = detached === undefined ? [] : await auditFiles(connections, detached)
  const findings = [...ledgers.flat(), ...services, ...files]
  const rows = findings.map(({ where, number, statement, rows: broken, examples }) => [
    broken === 0 ? 'holds' : broken === undefined ? 'NO ANSWER' : `BROKEN BY ${String(broken)}`,
    where,
    String(number),
    statement,
    examples.join(' '),
  ])
  const unasked = unaskedOf(connections, onStandby).map(({ where, number, statement, why }) => [
    ...['NOT ASKED', where, String(number), statement, why],
  ])
  return {
    table: textTable([...rows, ...unasked]),
    holds: findings.every(({ rows: broken }) => broken === 0),
  }
}

function unaskedOf({ stack }: Connections, onStandby = false): Unasked[] {
  if (onStandby) return unaskedServices('--standby asks the standbys of ledgers only')
  if (stack !== undefined) return []
  const statement = 'LEDGER_ADDRESS names one ledger: ask those of other countries and cells too'
  return [
    ...unaskedServices('asked of a local stack only'),
    { where: 'other ledgers', number: '', statement, why: '' },
  ]
}

async function auditFiles({ ledgers }: Connections, detached: DetachedFiles): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const ledger of ledgers)
    findings.push(
      ...(await auditDetached(detached.ownerUrl(ledger), detached.dirOf(ledger)).catch(
        unanswered(ledger),
      )),
    )
  return findings
}

async function auditLedger({ place, within }: CellConnection): Promise<Finding[]> {
  const { findings } = await within(deadlineMaxMs).audit({})
  return findings.map(({ rows, ...finding }) => ({ where: `ledger-${place}`, rows, ...finding }))
}

/** The row of a ledger that did not answer, so that the table still shows the answers of the others. */
function unanswered({ place }: CellConnection) {
  return (error: unknown): Finding[] => {
    const isAway = error instanceof Fault && error.reason === 'ledger_unavailable'
    if (!isAway && !isDatabaseAway(error)) throw error
    const statement = 'see docs/runbooks/process-down.md'
    return [{ where: `ledger-${place}`, number: '', statement, rows: undefined, examples: [] }]
  }
}

/** Throws for a ledger of an earlier release, which audits its own database whatever it is asked. */
async function auditStandby({ place, within }: CellConnection): Promise<Finding[]> {
  const { findings, standby } = await within(deadlineMaxMs).audit({ onStandby: true })
  if (standby === undefined) throw new Error(`ledger-${place} cannot audit a standby yet`)
  const until = standby.replayedUntil?.toISOString() ?? 'its start'
  const where = `standby-${place} at ${until}`
  return findings.map(({ rows, ...finding }) => ({ where, rows, ...finding }))
}
