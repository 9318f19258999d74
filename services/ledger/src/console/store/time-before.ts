import type { Prisma } from '../../database/generated/client'

/** The instant so long ago, as a value: only for a value does the planner know that few rows are younger. */
export async function timeBefore(db: Prisma.TransactionClient, seconds: number): Promise<string> {
  const [row] = await db.$queryRaw<[{ at: string }]>`
    SELECT (clock_timestamp() - make_interval(secs => ${seconds}::float8))::text AS at`
  return row.at
}
