import type { Client } from 'pg'

/** The version of a database, and the lowest version whose code may run on it. Only rolling services have both. */
export interface SchemaVersion {
  readonly version: number
  readonly floor: number
}

/**
 * Finds triggers, views and functions without a file. A function that a CHECK calls belongs to its table, and stays.
 */
const othersQuery = `
  SELECT 'TRIGGER ' || tgname AS object, format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS statement, 1 AS place
  FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
  WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace AND NOT 'TRIGGER ' || tgname = ANY ($1)
  UNION ALL
  SELECT 'VIEW ' || relname, format('DROP VIEW %s', oid::regclass), 2 FROM pg_class c
  WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace AND NOT 'VIEW ' || relname = ANY ($1)
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
  UNION ALL
  SELECT 'FUNCTION ' || proname, format('DROP FUNCTION %s', oid::regprocedure), 3 FROM pg_proc p
  WHERE pronamespace = 'public'::regnamespace AND NOT 'FUNCTION ' || proname = ANY ($1)
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
    AND NOT EXISTS (
      SELECT FROM pg_depend
      WHERE refclassid = 'pg_proc'::regclass AND refobjid = p.oid AND classid = 'pg_constraint'::regclass)
  ORDER BY place`

/**
 * Records the version since which each function or view has no file. Returns those that some release at or above the
 * floor may still call.
 */
async function keepForEarlier(
  client: Client,
  names: readonly string[],
  { version, floor }: SchemaVersion,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ object: string }>(
    `UPDATE migrate.sql_objects SET unneeded_since = coalesce(unneeded_since, $2)
     WHERE object NOT LIKE 'TRIGGER %' AND NOT object = ANY ($1)
     RETURNING CASE WHEN unneeded_since > $3 THEN object END AS object`,
    [names, version, floor],
  )
  return rows.map(({ object }) => object)
}

interface Drop {
  readonly object: string
  readonly statement: string
}

export const isOfView = ({ object }: Drop) => object.startsWith('VIEW ')

/**
 * The statements that drop what has no file. Where the releases of a service roll, a function or view without a file
 * stays for the releases that call it, until the floor reaches the version without it.
 */
export async function dropsOf(
  client: Client,
  names: readonly string[],
  rolling: SchemaVersion | undefined,
): Promise<readonly Drop[]> {
  const { rows } = await client.query<Drop>(othersQuery, [names])
  const kept = rolling === undefined ? [] : await keepForEarlier(client, names, rolling)
  const gone = rows.filter(({ object }) => !kept.includes(object))
  await client.query('DELETE FROM migrate.sql_objects WHERE object = ANY ($1)', [
    gone.map(({ object }) => object),
  ])
  return gone
}
