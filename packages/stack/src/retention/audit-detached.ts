import { existsSync, readdirSync } from 'node:fs'
import { Client } from 'pg'
import type { Finding } from '../operations/finding'
import { detachedFile, detachedName, readHeader, rowsOf, sha256Of } from './detached-file'
import { type DetachedMonth, readMonths } from './detached-months'
import { brokenHistories } from './detached-histories'

const examplesMax = 5

/** Compares the files of a folder with their digests in a ledger's database, and with the rows left there. */
export async function auditDetached(databaseUrl: string, dir: string): Promise<Finding[]> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'audit detached' })
  await client.connect()
  try {
    const { rows } = await client.query<{ country: string }>('SELECT country FROM deployment')
    const country = rows[0]?.country ?? ''
    const months = await readMonths(client)
    const differing = await differencesOf(dir, country, months)
    const files = months.map(({ month }) => detachedFile(dir, country, month))
    // The histories in files that differ from their digests are not audited.
    const broken = differing.length === 0 ? await brokenHistories(client, files) : undefined
    const where = `ledger-${country}`
    return [
      {
        where,
        number: 5,
        statement: 'what was detached is in its files, unchanged and in order',
        rows: differing.length,
        examples: differing.slice(0, examplesMax),
      },
      {
        where,
        number: 17,
        statement:
          'detached steps join, and lead to those that were kept and to where the intent is',
        rows: broken?.length,
        examples: broken?.slice(0, examplesMax) ?? [],
      },
    ]
  } finally {
    await client.end()
  }
}

async function differencesOf(
  dir: string,
  country: string,
  months: readonly DetachedMonth[],
): Promise<string[]> {
  const differing: string[] = []
  let before: DetachedMonth | undefined
  for (const month of months) {
    const problem = await problemOf(detachedFile(dir, country, month.month), month, before)
    if (problem !== undefined) differing.push(`${month.month} ${problem}`)
    before = month
  }
  return [...differing, ...unrecordedOf(dir, country, months)]
}

async function problemOf(
  file: string,
  month: DetachedMonth,
  before: DetachedMonth | undefined,
): Promise<string | undefined> {
  if (!existsSync(file)) return 'is missing'
  if ((await sha256Of(file)) !== month.sha256) return 'was changed'
  const { previous } = await readHeader(file)
  const follows = before?.sha256 ?? null
  if (previous !== follows || month.previous !== follows) return 'does not follow the month before'
  if (!(await hasCounts(file, month))) return 'has other rows'
  return month.removedAt === null ? 'was begun and is not done' : undefined
}

async function hasCounts(file: string, { steps, bodies }: DetachedMonth): Promise<boolean> {
  const counts = { step: 0, body: 0 }
  for await (const { kind } of rowsOf(file)) counts[kind] += 1
  return counts.step === steps && counts.body === bodies
}

function unrecordedOf(dir: string, country: string, months: readonly DetachedMonth[]): string[] {
  const recorded = new Set(months.map(({ month }) => month))
  const names = existsSync(dir) ? readdirSync(dir) : []
  return names
    .map((name) => detachedName.exec(name))
    .filter((match) => match?.[1] === country && !recorded.has(match[2] ?? ''))
    .map((match) => `${match?.[2] ?? ''} is not recorded`)
}
