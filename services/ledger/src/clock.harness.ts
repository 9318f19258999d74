import type { TestDatabase } from '@malipo/testing/database'
import { Client } from 'pg'

/** A clock that stands still until it is set. */
export interface SetClock {
  set(at: Date): Promise<void>
}

/**
 * Gives a database its own clock: a schema of the test, first in the search path, replaces the functions by which
 * statements read the time. Only the owner of the database may do so. Connections that are open already keep the clock
 * of the server.
 */
export async function openSetClock({ ownerUrl, pool }: TestDatabase): Promise<SetClock> {
  const owner = new Client({ connectionString: ownerUrl })
  await owner.connect()
  const { rows } = await owner.query<{ name: string }>('SELECT current_database() AS name')
  await owner.query(`
    CREATE SCHEMA set_clock;
    CREATE TABLE set_clock.moment (at TIMESTAMPTZ NOT NULL);
    INSERT INTO set_clock.moment VALUES (clock_timestamp());
    CREATE FUNCTION set_clock.clock_timestamp() RETURNS TIMESTAMPTZ LANGUAGE sql VOLATILE
      AS 'SELECT at FROM set_clock.moment';
    CREATE FUNCTION set_clock.statement_timestamp() RETURNS TIMESTAMPTZ LANGUAGE sql STABLE
      AS 'SELECT at FROM set_clock.moment';
    GRANT USAGE ON SCHEMA set_clock TO PUBLIC;
    GRANT SELECT ON set_clock.moment TO PUBLIC;
    ALTER DATABASE ${rows[0]?.name ?? ''} SET search_path = set_clock, public, pg_catalog;
    SET search_path = set_clock, public, pg_catalog;`)
  await owner.end()
  return {
    async set(at) {
      await pool.query('UPDATE set_clock.moment SET at = $1', [at])
    },
  }
}
