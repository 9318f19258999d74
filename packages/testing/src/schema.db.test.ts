import { cloneDatabase } from './database'
import { schemaDifference } from './schema'

test.each(['ledger', 'keys', 'auth'] as const)(
  'schema.prisma of %s agrees with its migrations, and a table that is missing from it is found',
  async (service) => {
    const database = await cloneDatabase(service)
    expect(await schemaDifference(service, database.ownerUrl)).toBe('')
    await database.pool.query('CREATE TABLE forgotten (id text PRIMARY KEY)')
    expect(await schemaDifference(service, database.ownerUrl)).toContain('DROP TABLE "forgotten"')
    await database.drop()
  },
  // Each comparison loads the schema engine, which takes seconds on a busy machine.
  60_000,
)
