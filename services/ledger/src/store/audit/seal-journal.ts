import type { Database } from '../database'

/** Longer than any transaction of ours may live, so that nothing comes late into a sealed stretch. */
const restSeconds = 60
/** What is digested within one statement's time. */
const stretchSeconds = 300

/** Seals what has come to rest of the journal. */
export async function sealJournal(db: Database): Promise<void> {
  for (;;) {
    const [row] = await db.$queryRaw<[{ more: boolean }]>`
      SELECT seal_journal(p_rest_seconds => ${restSeconds}::float8, p_stretch_seconds => ${stretchSeconds}::float8)
        AS more`
    if (!row.more) return
  }
}
