import type { PoolClient } from 'pg'
import { ledgerOfFile } from '../../ledger.harness'
import {
  type EarlyPlans,
  planEarly,
  type PlannedStatements,
  testPlans,
} from '../../database/plans.harness'
import { parkedMessages } from './queue'

const at = ledgerOfFile()
let plans: EarlyPlans

const { text, values } = parkedMessages
const statements: PlannedStatements = {
  'the list of parked messages': [{ name: 'parked_messages', text }, () => values],
}

beforeAll(async () => {
  plans = await planEarly(at.database.pool, statements, {
    async few(client) {
      await fill(client, 1, 180)
      await client.query('ANALYZE provider_messages')
    },
    many: async (client) => fill(client, 181, 4_000),
  })
})

async function fill(client: PoolClient, from: number, to: number) {
  await client.query(
    `INSERT INTO provider_messages (id, rail, kind, body, source_address, source_known, received_at, result, applied_at)
    SELECT 'pm_' || n, 'paybill', 'statement_row', '', '', true, now(), 'settled', now() FROM generate_series($1::int, $2::int) n`,
    [from, to],
  )
}

testPlans(statements, () => plans)
