import { type MerchantRequest, requestLogDays } from '../rules/merchant-request'
import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'

const pageLength = 50

/** How many old rows one statement deletes, so that none takes long. */
const atOnceMax = 5_000

/** Inserts requests as one JSON value, because Prisma would compile a placeholder for each; ignores known requests. */
export async function saveRequests(
  db: Database,
  requests: readonly MerchantRequest[],
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO merchant_requests (request_id, account_id, method, path, status, code, milliseconds, at)
    SELECT n."requestId", n."accountId", n.method, n.path, n.status, n.code, n.milliseconds, n.at
    FROM jsonb_to_recordset(${JSON.stringify(requests)}::jsonb) n (
      "requestId" TEXT, "accountId" TEXT, method TEXT, path TEXT, status INT, code INT, milliseconds INT, at TIMESTAMPTZ
    )
    ON CONFLICT DO NOTHING`
}

/** The newest requests of an account, those before a given one, or the one with an id; none that is too old to show. */
export async function listRequests(
  db: Database,
  accountId: string,
  question: {
    readonly requestId: string | undefined
    readonly beforeRequestId: string | undefined
  },
): Promise<{ requests: MerchantRequest[]; hasMore: boolean }> {
  const { requestId, beforeRequestId } = question
  const rows = await db.$queryRaw<MerchantRequest[]>`
    SELECT request_id AS "requestId", account_id AS "accountId", method, path, status, code, milliseconds, at
    FROM merchant_requests
    WHERE account_id = ${accountId} AND at > now() - make_interval(days => ${requestLogDays})
      ${requestId === undefined ? Prisma.empty : Prisma.sql`AND request_id = ${requestId}`}
      ${
        beforeRequestId === undefined
          ? Prisma.empty
          : Prisma.sql`AND (at, request_id) < (
              SELECT at, request_id FROM merchant_requests WHERE request_id = ${beforeRequestId} AND account_id = ${accountId})`
      }
    ORDER BY at DESC, request_id DESC LIMIT ${pageLength + 1}`
  return { requests: rows.slice(0, pageLength), hasMore: rows.length > pageLength }
}

/** Deletes the rows that are too old to show, a bounded number at a time; two replicas share them. */
export async function forgetOldRequests(db: Database, signal: AbortSignal): Promise<void> {
  let deleted = atOnceMax
  while (deleted === atOnceMax && !signal.aborted) {
    deleted = await db.$executeRaw`
      DELETE FROM merchant_requests WHERE request_id IN (
        SELECT request_id FROM merchant_requests WHERE at < now() - make_interval(days => ${requestLogDays})
        ORDER BY at LIMIT ${atOnceMax} FOR UPDATE SKIP LOCKED)`
  }
}
