import type { Log } from '@malipo/runtime/log'
import type { AuditAction, AuditEntry, AuditEvent } from '../rules/audit'
import type { Database } from '../../database/database'
import type { Prisma } from '../../database/generated/client'

const pageLength = 50

/**
 * Writes an audit event. A change in this database is in one transaction with its event, so that neither exists without
 * the other. A wrong password or PIN is counted before it is compared, so its event is written later, by itself.
 */
export async function recordEvent(
  tx: Prisma.TransactionClient,
  { accountId, action, subject = '', caller }: AuditEntry,
): Promise<void> {
  await tx.auditEvent.create({ data: { accountId, action, subject, ...caller } })
}

/**
 * Writes the event of an action that another service has already done. A failure is only logged, because it cannot undo
 * the action.
 */
export async function recordDone(
  { db, log }: { readonly db: Database; readonly log: Log },
  entry: AuditEntry,
): Promise<void> {
  await recordEvent(db, entry).catch((error: unknown) => {
    const { accountId, action } = entry
    log.error({ error, accountId, action }, 'an audit event is not written')
  })
}

/**
 * Takes as long as writing the event of a refused sign-in, so that the time does not reveal that an account is unknown.
 * The database writes and flushes a log record, but stores no row.
 */
export async function recordNothing(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$queryRaw`SELECT pg_logical_emit_message(true, 'unread', '')::text`
}

/** The newest events of an account, or those before a given one. */
export async function listEvents(
  db: Database,
  accountId: string,
  beforeEventId: bigint | undefined,
): Promise<{ events: AuditEvent[]; hasMore: boolean }> {
  const rows = await db.auditEvent.findMany({
    where: { accountId, ...(beforeEventId !== undefined && { eventId: { lt: beforeEventId } }) },
    orderBy: { eventId: 'desc' },
    take: pageLength + 1,
  })
  const events = rows
    .slice(0, pageLength)
    .map(({ eventId, action, at, subject, address, userAgent }) => ({
      eventId,
      // Only recordEvent writes this column, and it has this type.
      action: action as AuditAction,
      at,
      subject,
      caller: { address, userAgent },
    }))
  return { events, hasMore: rows.length > pageLength }
}
