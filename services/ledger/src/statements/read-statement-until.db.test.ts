import { Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { systemClock } from '@malipo/runtime/clock'
import { ledgerOfFile } from '../ledger.harness'
import { past } from '../time.harness'

const at = ledgerOfFile()

const readUntil = async (since: Date) =>
  (await at.ledger.readStatementUntil({ rail: Rail.MPESA, since })).until
const minutesAgo = (minutes: number) => new Date(systemClock.now() - minutes * 60_000)

test('returns the end of the readings that follow one another without a gap', async () => {
  await past(at.database, async (query) => {
    await query("UPDATE deployment SET created_at = now() - interval '3 days'")
  })
  const since = minutesAgo(48 * 60)
  expect(await readUntil(since)).toEqual(since)
  const [first, last] = [minutesAgo(600), minutesAgo(60)]
  await at.ledger.recordStatementRead({ rail: Rail.MPESA, from: since, until: first })
  await at.ledger.recordStatementRead({ rail: Rail.MPESA, from: minutesAgo(615), until: last })
  expect(await readUntil(since)).toEqual(last)
  // Before this reading there is a gap, so the earlier readings still decide the answer.
  await at.ledger.recordStatementRead({
    ...{ rail: Rail.MPESA, from: minutesAgo(30), until: minutesAgo(1) },
  })
  expect(await readUntil(since)).toEqual(last)
})

test('refuses a request without a start time', async () => {
  const request = { rail: Rail.MPESA, since: undefined }
  await expect(at.ledger.readStatementUntil(request)).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})
