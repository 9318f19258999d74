import { createHmac } from 'node:crypto'
import type { Cell } from '@malipo/kernel/cells'
import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Key, NewKey, Use } from '../rules/key'
import type { Database } from '../../database/database'
import type { Prisma } from '../../database/generated/client'

/**
 * The most keys in a list, more than a page shows. An account may replace its key any number of times, so a list needs
 * a bound.
 */
const listedKeysMax = 50

const shown = {
  keyId: true,
  prefix: true,
  lastFour: true,
  createdAt: true,
  lastUsedAt: true,
  revokedAt: true,
} as const satisfies Prisma.KeySelect

/**
 * The most seconds between the entry of the PIN and now. The proof may also lie this far in the future, because auth's
 * database has another clock.
 */
const proofLifeSeconds = 60

type Outcome =
  | { readonly outcome: 'kept'; readonly keptAt: Date }
  | { readonly outcome: 'stale' | 'used' | 'other_country' }

/**
 * Stores a key and revokes the account's live one. Faults: invalid_request, for an account of another country;
 * pin_not_proven, for a proof that was used, or whose time is more than a minute from now.
 */
export async function replaceLiveKey(
  db: Database,
  key: NewKey,
  proof: { readonly provenAt: Date; readonly nonce: string },
): Promise<Key> {
  const { keyId, accountId, country, cell, prefix, lastFour } = key
  const [answer] = await db.$queryRaw<Outcome[]>`
    SELECT outcome, kept_at AS "keptAt" FROM replace_live_key(
      ${accountId}, ${country}, ${keyId}, ${bytes(key.digest)}, ${prefix}, ${lastFour},
      ${proof.nonce}::uuid, ${proof.provenAt}::timestamptz, ${proofLifeSeconds}, ${cell}::smallint)`
  if (answer?.outcome === 'kept') return { keyId, prefix, lastFour, createdAt: answer.keptAt }
  if (answer?.outcome === 'other_country') {
    throw new Fault('invalid_request', { field: 'country', accountId })
  }
  throw new Fault('pin_not_proven', { because: answer?.outcome ?? 'unknown' })
}

/** Revokes the account's live key; false when it has none. */
export async function revokeLiveKey(db: Database, accountId: string): Promise<boolean> {
  const [answer] = await db.$queryRaw<{ revoked: boolean }[]>`
    SELECT revoke_live_key(${accountId}) AS revoked`
  return answer?.revoked === true
}

/** Finds the live key of this country by its digest under any accepted pepper. */
export async function findLiveKey(
  db: Database,
  digests: readonly Buffer[],
  country: Country,
): Promise<{ keyId: string; accountId: string; cell: Cell } | undefined> {
  const found = await db.key.findFirst({
    where: { digest: { in: digests.map(bytes) }, revokedAt: null, account: { country } },
    select: { keyId: true, accountId: true, account: { select: { cell: true } } },
  })
  return found === null ? undefined : { ...found, cell: found.account.cell }
}

/**
 * Writes the times of last use, at most once a minute for each key, however many processes report it. A key whose
 * digest changes, because it was stored under an older pepper, is written at once. The rows are locked in the order of
 * their ids, because two processes that lock the same rows in different orders deadlock.
 */
export async function recordUses(db: Database, uses: readonly Use[]): Promise<void> {
  await db.$executeRaw`
    WITH due AS (
      SELECT key_id, used.digest
      FROM keys JOIN unnest(${uses.map((use) => use.keyId)}::text[], ${uses.map((use) => use.digest)}::bytea[])
        AS used (key_id, digest) USING (key_id)
      WHERE keys.digest <> used.digest OR last_used_at IS NULL OR last_used_at < now() - interval '60 seconds'
      ORDER BY key_id FOR UPDATE OF keys)
    UPDATE keys SET last_used_at = greatest(created_at, clock_timestamp()), digest = due.digest
    FROM due WHERE keys.key_id = due.key_id`
}

export async function listKeys(db: Database, accountId: string): Promise<Key[]> {
  const rows = await db.key.findMany({
    where: { accountId },
    orderBy: { createdAt: 'desc' },
    take: listedKeysMax,
    select: shown,
  })
  return rows.map(toKey)
}

type ShownRow = Prisma.KeyGetPayload<{ select: typeof shown }>

function toKey({ lastUsedAt, revokedAt, ...row }: ShownRow): Key {
  return { ...row, ...(lastUsedAt && { lastUsedAt }), ...(revokedAt && { revokedAt }) }
}

/** Prisma requires bytes over an unshared buffer, which the type Buffer does not guarantee. */
function bytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(buffer)
}

/**
 * The stored digest of a key. A key has 200 random bits, so a plain HMAC resists guessing as well as a slow hash, and
 * takes microseconds; the pepper makes a stolen table worthless even with a list of keys.
 */
export function storedDigest(pepper: Buffer, country: Country, keySha256: Uint8Array): Buffer {
  return createHmac('sha256', pepperOf(pepper, country)).update(keySha256).digest()
}

/**
 * Derives a separate pepper for each country, so that the digest of a key in one country reveals nothing in the other.
 */
function pepperOf(pepper: Buffer, country: Country): Buffer {
  return createHmac('sha256', pepper).update(`pepper of ${country}`).digest()
}
