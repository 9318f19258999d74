import type { Database } from '../../database/database'

/** What is registered with a provider for the Pay Bill menu of a short code. */
export interface PayBillAddresses {
  readonly shortCode: string
  /** SHA-256 of the addresses. */
  readonly digest: Buffer
}

/** `due`: register now. If not, `waitSeconds` says when to ask again; it is undefined once the addresses are registered. */
type Registering = 'due' | { readonly waitSeconds: number | undefined }

/** After this time another worker may register, as the one that began has died. */
const attemptSeconds = 60

/** Lets one caller at a time register the addresses: when they are new, and when the next attempt is due. */
export async function beginRegistration(
  db: Database,
  { shortCode, digest }: PayBillAddresses,
): Promise<Registering> {
  const begun = await db.$queryRaw<object[]>`
    INSERT INTO pay_bill_addresses AS known (short_code, digest, next_attempt_at)
    VALUES (${shortCode}, ${digest}, clock_timestamp() + make_interval(secs => ${attemptSeconds}::float8))
    ON CONFLICT (short_code) DO UPDATE SET
      failures = CASE WHEN known.digest = excluded.digest THEN known.failures ELSE 0 END,
      digest = excluded.digest, answer = NULL, answered_at = NULL, proved_at = NULL,
      next_attempt_at = excluded.next_attempt_at
    WHERE known.digest <> excluded.digest OR known.next_attempt_at <= (SELECT clock_timestamp())
    RETURNING true`
  if (begun.length > 0) return 'due'
  const [row] = await db.$queryRaw<{ waitSeconds: number | null }[]>`
    SELECT extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS "waitSeconds"
    FROM pay_bill_addresses WHERE short_code = ${shortCode}`
  const waitSeconds = row?.waitSeconds ?? undefined
  return { waitSeconds: waitSeconds === undefined ? undefined : Math.max(waitSeconds, 0) }
}

/** Keeps what the provider answered, unless other addresses are to be registered by now. */
export async function noteRegistration(
  db: Database,
  { shortCode, digest }: PayBillAddresses,
  answer: 'registered' | 'registered_before',
): Promise<void> {
  await db.$executeRaw`
    UPDATE pay_bill_addresses
    SET answer = ${answer}, answered_at = clock_timestamp(), next_attempt_at = NULL, failures = 0
    WHERE short_code = ${shortCode} AND digest = ${digest} AND answer IS NULL`
}

/** The next attempt is due after 5 seconds, and twice as long each time, up to an hour. */
export async function postponeRegistration(
  db: Database,
  { shortCode, digest }: PayBillAddresses,
): Promise<void> {
  await db.$executeRaw`
    UPDATE pay_bill_addresses SET failures = failures + 1,
      next_attempt_at = clock_timestamp() + make_interval(secs => least(5 * 2 ^ least(failures, 10), 3600))
    WHERE short_code = ${shortCode} AND digest = ${digest} AND answer IS NULL`
}

/**
 * Marks the registered addresses as proven to be ours, by a confirmation from a listed network of the provider that came
 * after the provider's answer. An earlier confirmation may have come to the addresses that were registered before.
 */
export async function provePayBillAddresses(db: Database, messageId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE pay_bill_addresses a SET proved_at = clock_timestamp() FROM provider_messages m
    WHERE a.proved_at IS NULL AND m.id = ${messageId} AND m.rail = 'paybill' AND m.kind = 'callback'
      AND m.source_known AND m.received_at > a.answered_at`
}

/** After this many failures in a row, which take more than a minute, the provider is taken to refuse the addresses. */
const failuresMax = 5

/** How many short codes have addresses that are not proven to be ours, or whose registration fails time after time. */
export async function countUnprovenAddresses(db: Database): Promise<number> {
  const refused = { answer: null, failures: { gte: failuresMax } }
  const wanted = [{ answer: 'registered_before', provedAt: null }, refused]
  return db.payBillAddresses.count({ where: { OR: wanted } })
}
