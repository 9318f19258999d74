import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Operations } from '@malipo/runtime/grpc'
import { audit as askForAll, ever, instantAgo } from './store/audit'
import type { Database } from '../database/database'

export interface AuditDeps {
  readonly db: Database
}

/** Asks the database for everything that must hold of it. */
export function audit({ db }: AuditDeps): Operations<LedgerServiceServer>['audit'] {
  return async ({ sinceSeconds }) => {
    const since = sinceSeconds === undefined ? ever : await instantAgo(db, sinceSeconds)
    const findings = await askForAll(db, since)
    return {
      findings: findings.map((finding) => ({ ...finding, examples: [...finding.examples] })),
    }
  }
}
