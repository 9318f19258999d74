import type { AuditAction, AuditEntry, AuditEvent } from '../domain/audit'
import type { Database } from './database'
import type { Prisma } from './generated/client'

const pageLength = 50

/** Writes down what is being done, in the transaction that does it: neither is there without the other. */
export async function recordEvent(
  tx: Prisma.TransactionClient,
  { accountId, action, subject = '', caller }: AuditEntry,
): Promise<void> {
  await tx.auditEvent.create({ data: { accountId, action, subject, ...caller } })
}

/**
 * Stands where an event would be written if there were an account to write it for: the database writes a record to its
 * disk and waits for it, as for an event, and nothing is kept.
 */
export async function recordNothing(db: Database): Promise<void> {
  await db.$queryRaw`SELECT pg_logical_emit_message(true, 'unread', '')::text`
}

/** The newest events of an account, or those before one of them. */
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
      // Only recordEvent writes here, whose type this is.
      action: action as AuditAction,
      at,
      subject,
      caller: { address, userAgent },
    }))
  return { events, hasMore: rows.length > pageLength }
}
