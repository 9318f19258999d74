import { type Cell, firstCell } from '@malipo/kernel/cells'
import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Account, Profile } from '../rules/account'
import type { Caller } from '../../audit/rules/audit'
import { foldHandle } from '../../handles/rules/handle'
import { recordEvent } from '../../audit/store/audit-log'
import type { Database } from '../../database/database'
import type { Prisma } from '../../database/generated/client'

export interface NewAccount
  extends Omit<Account, 'profileImageUrl'>, Pick<Profile, 'bio' | 'theme' | 'socialLinks'> {
  readonly requestId: string
  readonly passwordHash: string
  readonly pinHash: string | null
}

/** The account that a request id made; undefined when it has made none yet. */
export async function findAccountOfRequest(
  db: Database,
  requestId: string,
): Promise<Account | undefined> {
  const row = await db.account.findUnique({ where: { requestId }, select: accountColumns })
  return row === null ? undefined : toAccount(row)
}

/**
 * Creates an account, its credentials and its username in one transaction, or finds what another call with the same
 * request id created. Fault: handle_taken.
 */
export async function saveAccount(
  db: Database,
  account: NewAccount,
  caller: Caller,
): Promise<Account> {
  const { username, passwordHash, pinHash, socialLinks, ...row } = account
  const { accountId, requestId } = account
  return db.$transaction(async (tx) => {
    // The insert waits for a parallel call with this request id, and inserts nothing if that call commits.
    const { count: made } = await tx.account.createMany({ data: row, skipDuplicates: true })
    if (made > 0) {
      await tx.credential.create({ data: { accountId, passwordHash, pinHash } })
      await tx.socialLink.createMany({
        data: socialLinks.map((link, position) => ({ accountId, position, ...link })),
      })
      await takeHandle(tx, { handle: username, accountId, kind: 'username' })
      await recordEvent(tx, { accountId, action: 'account_created', subject: username, caller })
    }
    return toAccount(
      await tx.account.findUniqueOrThrow({ where: { requestId }, select: accountColumns }),
    )
  })
}

export async function findAccount(
  tx: Prisma.TransactionClient,
  accountId: string,
): Promise<Account | undefined> {
  const row = await tx.account.findUnique({ where: { accountId }, select: accountColumns })
  return row === null ? undefined : toAccount(row)
}

/**
 * The cell of a country with the fewest accounts, so that a new cell fills up. Of several such cells, the one with the
 * lowest number.
 */
export async function findEmptiestCell(
  db: Database,
  homeCountry: Country,
  cells: number,
): Promise<Cell> {
  const [emptiest] = await db.$queryRaw<{ cell: Cell }[]>`
    SELECT cell FROM generate_series(0, ${cells}::int - 1) cell
    LEFT JOIN (
      SELECT cell, count(*) AS held FROM accounts WHERE home_country = ${homeCountry} GROUP BY cell
    ) counted USING (cell)
    ORDER BY coalesce(held, 0), cell
    LIMIT 1`
  return emptiest?.cell ?? firstCell
}

export async function findUsername(db: Database, username: string): Promise<Account | undefined> {
  const found = await db.handle.findUnique({
    where: { folded: foldHandle(username), kind: 'username' },
    select: { account: { select: accountColumns } },
  })
  return found === null ? undefined : toAccount(found.account)
}

/**
 * The account of a username, and the password hash; undefined for an unknown name. One statement in either case, so
 * that the time does not differ.
 */
export async function findPassword(
  db: Database,
  username: string,
): Promise<{ accountId: string; passwordHash: string } | undefined> {
  const [found] = await db.$queryRaw<{ accountId: string; passwordHash: string }[]>`
    SELECT account_id AS "accountId", password_hash AS "passwordHash"
    FROM handles JOIN credentials USING (account_id)
    WHERE folded = ${foldHandle(username)} AND kind = 'username'`
  return found
}

/** The signed-in account. Fault: invalid_request, because an unknown id here is a bug. */
export async function requireAccount(
  tx: Prisma.TransactionClient,
  accountId: string,
): Promise<Account> {
  const account = await findAccount(tx, accountId)
  if (account === undefined) throw new Fault('invalid_request', { field: 'account_id' })
  return account
}

export async function isNewAccount(
  db: Database,
  accountId: string,
  seconds: number,
): Promise<boolean> {
  const [found] = await db.$queryRaw<{ isNew: boolean }[]>`
    SELECT created_at > now() - make_interval(secs => ${seconds}) AS "isNew"
    FROM accounts WHERE account_id = ${accountId}`
  return found?.isNew ?? false
}

/** Gives an account a handle. Fault: handle_taken. */
export async function takeHandle(
  tx: Prisma.TransactionClient,
  row: { handle: string; accountId: string; kind: 'username' | 'link' },
): Promise<void> {
  const data = { ...row, folded: foldHandle(row.handle) }
  const { count } = await tx.handle.createMany({ data, skipDuplicates: true })
  if (count === 0) throw new Fault('handle_taken', { handle: row.handle })
}

export const accountColumns = {
  accountId: true,
  displayName: true,
  homeCountry: true,
  cell: true,
  profileImageUrl: true,
  handles: { where: { kind: 'username' }, select: { handle: true } },
} as const satisfies Prisma.AccountSelect

/** A username, or a link that is not closed. */
export const openHandle = {
  OR: [{ link: { is: null } }, { link: { closedAt: null } }],
} as const satisfies Prisma.HandleWhereInput

type AccountRow = Prisma.AccountGetPayload<{ select: typeof accountColumns }>

export function toAccount({ handles, homeCountry, profileImageUrl, ...row }: AccountRow): Account {
  const [username] = handles
  if (username === undefined) throw new Fault('internal', { accountId: row.accountId })
  return {
    ...row,
    username: username.handle,
    // The CHECK of the column has the same values as this type.
    homeCountry: homeCountry as Country,
    ...(profileImageUrl !== null && { profileImageUrl }),
  }
}
