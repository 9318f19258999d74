import type {
  AuditedStandby,
  LedgerServiceServer,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { audit as askForAll, ever, instantAgo } from './store/audit'
import { readStandby } from './store/standby'
import type { Database } from '../database/database'

export interface AuditDeps {
  readonly db: Database
  /** A standby of the database, where there is one. */
  readonly standby: Database | undefined
}

/** Asks the database, or its standby, for everything that must hold of it. */
export function audit(deps: AuditDeps): Operations<LedgerServiceServer>['audit'] {
  return async ({ sinceSeconds, onStandby }) => {
    const { db, standby } = onStandby === true ? await openStandby(deps) : { db: deps.db }
    const since = sinceSeconds === undefined ? ever : await instantAgo(db, sinceSeconds)
    const findings = await askForAll(db, since)
    return {
      findings: findings.map((finding) => ({ ...finding, examples: [...finding.examples] })),
      standby,
    }
  }
}

/** Fault: invalid_request where there is no standby, or its server is one no more: an answer of it would be the database's own. */
async function openStandby({ standby: db }: AuditDeps) {
  const found = db && (await readStandby(db))
  if (db === undefined || found?.isStandby !== true) {
    throw new Fault('invalid_request', { field: 'on_standby' })
  }
  const standby: AuditedStandby = { replayedUntil: found.replayedUntil ?? undefined }
  return { db, standby }
}
