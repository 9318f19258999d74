import type { CountryRules } from '@malipo/kernel/countries'
import { chartOf } from '../domain/chart'
import { refundRules } from '../domain/refund'
import { rules } from '../domain/rules'
import type { Database } from './database'

/**
 * Makes sure that a database is this country's before any money is near it: a new one is stamped and gets its
 * accounts, another country's is refused.
 */
export async function takeDeployment(
  db: Database,
  { country, currency }: CountryRules,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO deployment (country, currency) VALUES (${country}, ${currency}) ON CONFLICT DO NOTHING`
  const found = await db.deployment.findUniqueOrThrow({ where: { isOnly: true } })
  if (found.country !== country) {
    throw new Error(
      `This database keeps the money of ${found.country}, and this ledger is for ${country}`,
    )
  }
  await db.$executeRaw`
    INSERT INTO accounts (id, currency) SELECT id, ${currency} FROM unnest(${chartOf(country)}::text[]) id
    ON CONFLICT DO NOTHING`
}

/** Refuses to run as a role that could change the journal, such as the owner of its tables. */
export async function checkRole(db: Database): Promise<void> {
  const [role] = await db.$queryRaw<[{ name: string; isMighty: boolean }]>`
    SELECT current_user::text AS name,
      has_table_privilege('transfers', 'UPDATE, DELETE, TRUNCATE, TRIGGER') AS "isMighty"`
  if (!role.isMighty) return
  throw new Error(
    `The role ${role.name} of DATABASE_URL may change the journal. Connect as the role that the migrate step gives its rights`,
  )
}

/** Refuses a database whose decision tables are not, cell by cell, those of this code. */
export async function checkRules(db: Database): Promise<void> {
  const [answer] = await db.$queryRaw<
    [{ theirs: Record<string, string> }]
  >`SELECT rules() || refund_rules() AS theirs`
  const { theirs } = answer
  const ours: typeof rules = { ...rules, ...refundRules }
  const cells = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  const differing = [...cells].filter((cell) => ours[cell] !== theirs[cell])
  if (differing.length === 0) return
  const lines = differing.map(
    (cell) => `  ${cell}: ${String(theirs[cell])}, and here ${String(ours[cell])}`,
  )
  throw new Error(`The rules of the database are not those of this code:\n${lines.join('\n')}`)
}
