import { Fault } from '@malipo/kernel/errors'
import type { Caller } from '../../audit/rules/audit'
import { foldHandle } from '../../handles/rules/handle'
import { type Link, linksMax, type ResolvedHandle, type Suggestion } from '../rules/link'
import type { Account } from '../../accounts/rules/account'
import { takeHandle } from '../../accounts/store/accounts'
import { recordEvent } from '../../audit/store/audit-log'
import type { Database } from '../../database/database'
import type { Prisma } from '../../database/generated/client'

export interface NewLink {
  readonly accountId: string
  readonly requestId: string
  readonly handle: string
  readonly suggestion?: Suggestion
  readonly caller: Caller
}

/** The link that a request id of this account made; undefined when it has made none yet. */
export async function findLinkOfRequest(
  db: Database,
  accountId: string,
  requestId: string,
): Promise<Link | undefined> {
  const where = { accountId_requestId: { accountId, requestId } }
  const row = await db.link.findUnique({ where, select: linkColumns })
  return row === null ? undefined : toLink(row)
}

/**
 * Creates a link and its handle in one transaction, or finds what another call with the same request id created.
 * Faults: handle_taken, invalid_request (too many links).
 */
export async function saveLink(db: Database, link: NewLink): Promise<Link> {
  const { accountId, requestId, handle, suggestion, caller } = link
  return db.$transaction(async (tx) => {
    // Locks the account, so that the count is right, and a second call of this request finds the first one's link.
    await tx.$queryRaw`SELECT 1 FROM accounts WHERE account_id = ${accountId} FOR UPDATE`
    const where = { accountId_requestId: { accountId, requestId } }
    const known = await tx.link.findUnique({ where, select: linkColumns })
    if (known !== null) return toLink(known)
    if ((await tx.link.count({ where: { accountId } })) >= linksMax) {
      const message = `an account has at most ${String(linksMax)} links`
      throw new Fault('invalid_request', {}, undefined, { fields: [{ path: 'handle', message }] })
    }
    await takeHandle(tx, { handle, accountId, kind: 'link' })
    await recordEvent(tx, { accountId, action: 'link_created', subject: handle, caller })
    const data = { folded: foldHandle(handle), accountId, requestId, ...suggestion }
    return toLink(await tx.link.create({ data, select: linkColumns }))
  })
}

/** Closes a link of this account; undefined when it has none with this handle. */
export async function closeLink(
  db: Database,
  { accountId, handle }: { readonly accountId: string; readonly handle: string },
  caller: Caller,
): Promise<Link | undefined> {
  const folded = foldHandle(handle)
  return db.$transaction(async (tx) => {
    const closed = await tx.$executeRaw`
      UPDATE links SET closed_at = greatest(created_at, clock_timestamp())
      WHERE folded = ${folded} AND account_id = ${accountId} AND closed_at IS NULL`
    const row = await tx.link.findFirst({ where: { folded, accountId }, select: linkColumns })
    if (row === null) return undefined
    const link = toLink(row)
    if (closed > 0) {
      await recordEvent(tx, { accountId, action: 'link_closed', subject: link.handle, caller })
    }
    return link
  })
}

export async function listLinks(db: Database, accountId: string): Promise<Link[]> {
  const rows = await db.link.findMany({
    where: { accountId },
    orderBy: { createdAt: 'desc' },
    take: linksMax,
    select: linkColumns,
  })
  return rows.map(toLink)
}

/** The titles of an account's links among these handles, including closed ones, by folded handle. */
export async function findLinkTitles(
  db: Database,
  accountId: string,
  handles: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (handles.length === 0) return new Map()
  const rows = await db.link.findMany({
    where: { accountId, folded: { in: handles.map(foldHandle) } },
    select: { folded: true, title: true },
  })
  return new Map(rows.map(({ folded, title }) => [folded, title ?? 'Open link']))
}

interface ResolvedRow extends Omit<Account, 'profileImageUrl'> {
  readonly handle: string
  readonly profileImageUrl: string | null
  readonly title: string | null
  readonly amountMinor: bigint | null
  readonly acceptsPayments: boolean
}

/**
 * The payee of a handle; undefined when it is unknown, or its link is closed. One statement, because payers wait for it
 * and each further statement takes long in a process that has just started.
 */
export async function resolveHandle(
  db: Database,
  handle: string,
): Promise<ResolvedHandle | undefined> {
  const [row] = await db.$queryRaw<ResolvedRow[]>`
    SELECT h.handle, l.title, l.amount_minor AS "amountMinor", a.accepts_payments AS "acceptsPayments",
      a.account_id AS "accountId", u.handle AS username, a.display_name AS "displayName",
      a.profile_image_url AS "profileImageUrl", a.home_country AS "homeCountry", a.cell
    FROM handles h JOIN accounts a USING (account_id)
    JOIN handles u ON u.account_id = a.account_id AND u.kind = 'username'
    LEFT JOIN links l ON l.folded = h.folded
    WHERE h.folded = ${foldHandle(handle)} AND l.closed_at IS NULL`
  if (row === undefined) return undefined
  const { handle: own, acceptsPayments, title, amountMinor, profileImageUrl, ...account } = row
  return {
    handle: own,
    account: { ...account, ...(profileImageUrl !== null && { profileImageUrl }) },
    ...suggestionOf({ title, amountMinor }),
    acceptsPayments,
  }
}

const linkColumns = {
  title: true,
  amountMinor: true,
  createdAt: true,
  closedAt: true,
  handle: { select: { handle: true } },
} as const satisfies Prisma.LinkSelect

type LinkRow = Prisma.LinkGetPayload<{ select: typeof linkColumns }>

function toLink(row: LinkRow): Link {
  return {
    handle: row.handle.handle,
    ...suggestionOf(row),
    createdAt: row.createdAt,
    ...(row.closedAt !== null && { closedAt: row.closedAt }),
  }
}

function suggestionOf(
  row: { readonly title: string | null; readonly amountMinor: bigint | null } | null,
): { suggestion?: Suggestion } {
  const { title = null, amountMinor = null } = row ?? {}
  return title === null || amountMinor === null ? {} : { suggestion: { title, amountMinor } }
}
