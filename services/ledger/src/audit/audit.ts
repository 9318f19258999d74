import type { AuditedStandby } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { audit as askForAll, ever, instantAgo, readStandby } from './store/audit'

/** Checks every invariant, on the database or on its standby. */
export function audit(deps: Ledger): Operation<'audit'> {
  return async ({ sinceSeconds, onStandby }) => {
    const { db, standby } = onStandby === true ? await openStandby(deps) : { db: deps.beside }
    const since = sinceSeconds === undefined ? ever : await instantAgo(db, sinceSeconds)
    const findings = await askForAll(db, () => since)
    return {
      findings: findings.map(({ touched: _, examples, ...finding }) => ({
        ...finding,
        examples: [...examples],
      })),
      standby,
    }
  }
}

/** Fault: invalid_request where no standby is configured, or its server replays no other one. */
async function openStandby({ standby: db }: Ledger) {
  const found = db && (await readStandby(db))
  if (db === undefined || found?.isStandby !== true) {
    throw new Fault('invalid_request', { field: 'on_standby' })
  }
  const standby: AuditedStandby = { replayedUntil: found.replayedUntil ?? undefined }
  return { db, standby }
}
