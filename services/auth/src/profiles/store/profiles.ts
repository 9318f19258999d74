import type { Caller } from '../../audit/rules/audit'
import type { Profile, Theme } from '../../accounts/rules/account'
import { foldHandle } from '../../handles/rules/handle'
import { accountColumns, openHandle, toAccount } from '../../accounts/store/accounts'
import { recordEvent } from '../../audit/store/audit-log'
import type { Database } from '../../database/database'
import type { Prisma } from '../../database/generated/client'

/** The owner's editable profile, complete. */
export interface ProfileEdit extends Omit<Profile, 'account' | 'coverImageUrl'> {
  readonly displayName: string
  readonly profileImageUrl: string | null
  readonly coverImageUrl: string | null
}

/** The profile of a handle, and the handle in the owner's spelling. */
export async function findProfile(
  db: Database,
  handle: string,
): Promise<{ handle: string; profile: Profile } | undefined> {
  const row = await db.handle.findUnique({
    where: { folded: foldHandle(handle), ...openHandle },
    select: { handle: true, account: { select: profileColumns } },
  })
  return row === null ? undefined : { handle: row.handle, profile: toProfile(row.account) }
}

export async function requireProfile(db: Database, accountId: string): Promise<Profile> {
  return toProfile(
    await db.account.findUniqueOrThrow({ where: { accountId }, select: profileColumns }),
  )
}

export async function replaceProfile(
  db: Database,
  accountId: string,
  { socialLinks, ...columns }: ProfileEdit,
  caller: Caller,
): Promise<Profile> {
  return db.$transaction(async (tx) => {
    // The update comes first because it locks the account: of two parallel edits the links of one remain.
    await tx.account.update({ where: { accountId }, data: columns })
    await tx.socialLink.deleteMany({ where: { accountId } })
    await tx.socialLink.createMany({
      data: socialLinks.map((link, position) => ({ accountId, position, ...link })),
    })
    await recordEvent(tx, { accountId, action: 'profile_edited', caller })
    return toProfile(
      await tx.account.findUniqueOrThrow({ where: { accountId }, select: profileColumns }),
    )
  })
}

const profileColumns = {
  ...accountColumns,
  bio: true,
  theme: true,
  coverImageUrl: true,
  acceptsPayments: true,
  socialLinks: { orderBy: { position: 'asc' }, select: { platform: true, url: true } },
} as const satisfies Prisma.AccountSelect

type ProfileRow = Prisma.AccountGetPayload<{ select: typeof profileColumns }>

function toProfile(row: ProfileRow): Profile {
  const { bio, theme, coverImageUrl, acceptsPayments, socialLinks, ...account } = row
  return {
    account: toAccount(account),
    bio,
    // The CHECK of the column has the same values as this type.
    theme: theme as Theme,
    ...(coverImageUrl !== null && { coverImageUrl }),
    acceptsPayments,
    socialLinks,
  }
}
