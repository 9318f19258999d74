import { openLog } from '@malipo/runtime/log'
import { cloneDatabase } from '@malipo/testing/database'
import { testIdentityDir } from '@malipo/testing/identities'
import { testRedisUrl } from '@malipo/testing/redis'
import { settledInvariants } from '../../../ledger/src/invariants.harness'
import { readConfig } from '../../../ledger/src/config'
import { start } from '../../../ledger/src/start'
import type { CellConfig } from '../config'
import { type LedgerDriver, openLedgerDriver } from '../ledger-driver.harness'

/** A cell of Kenya beside that of the host: a ledger with its own database. */
export interface FurtherCell {
  readonly config: CellConfig
  readonly ledger: LedgerDriver
  freezeWallet(accountId: string): Promise<void>
  /** Kills its ledger, as a crash would. */
  lose(): Promise<void>
  /** Checks the invariants of its ledger, stops it and drops its database. */
  stop(): Promise<void>
}

export async function startFurtherCell(
  cell: number,
  businessNumber: string,
  port = '0',
): Promise<FurtherCell> {
  const database = await cloneDatabase('ledger')
  const config = readConfig({
    PORT: port,
    ADMIN_PORT: '0',
    LOG_LEVEL: 'silent',
    // No worker runs: callbacks settle for every amount, and prompts wait for the test.
    ...{ CALLBACK_UNCONFIRMED_MAX_MINOR: '15000000', PROMPT_WAIT_MAX_SECONDS: '3600' },
    TLS_DIR: testIdentityDir('ledger-ke'),
    DATABASE_URL: database.url,
    COUNTRY: 'ke',
    CELL: String(cell),
    RAILS: 'mpesa,card',
    PAY_BILL_NUMBER_KEY: Buffer.alloc(32, 5).toString('hex'),
  })
  const started = await start(config, openLog('test', 'silent'))
  const ledgerAddress = `127.0.0.1:${String(started.ports['grpc'])}`
  const ledger = openLedgerDriver('ke', ledgerAddress)
  let isLost = false
  const lose = async () => {
    if (!isLost) await started.stop()
    isLost = true
  }
  return {
    config: { ledgerAddress, redisUrl: testRedisUrl(), businessNumber },
    ledger,
    async freezeWallet(accountId) {
      const freeze = 'UPDATE wallets SET frozen_at = now() WHERE account_id = $1'
      await database.pool.query(freeze, [accountId])
    },
    lose,
    async stop() {
      const broken = await settledInvariants(database)
      ledger.close()
      await lose()
      await database.drop()
      expect(broken).toEqual({})
    },
  }
}
