import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig as readAuth } from '../../../../services/auth/src/config'
import { readConfig as readConsole } from '../../../../services/console/src/config'
import { readConfig as readGateway } from '../../../../services/gateway/src/config'
import { readConfig as readKeys } from '../../../../services/keys/src/config'
import { readConfig as readLedger } from '../../../../services/ledger/src/config'
import { readConfig as readWorker } from '../../../../services/worker/src/config'
import { repositoryDir } from '../migrate'
import { render } from './kubernetes.harness'
import { secretKeysOf, secretTable, variablesOf } from './secrets.harness'

/** What is no secret: everyone may know it. Any other variable of a service is one. */
const settings = new Set(
  `ACCOUNTS_ADDRESS ADMIN_PORT AIRTEL_API_VERSION AIRTEL_BASE_URL AIRTEL_REFUNDS AUDIT_EVERY_SECONDS AUTH_URL BASE_URL CALLBACK_BASE_URL
  CALLBACK_PORT CALLBACK_SOURCES CALLBACK_UNCONFIRMED_MAX_MINOR CARD_API_VERSION CARD_BASE_URL CARD_FEE_BPS CARD_MERCHANT_NAME
  CARD_QUERY_AFTER_SECONDS CARD_SESSION_SECONDS CHECKOUT_LIFE_SECONDS CONNECTIONS_MAX CONNECTIONS_PER_ADDRESS_MAX CONSOLE_URL
  COPY_MARK_FILE COUNTRY GRPC_PORT HOST IDLE_CONNECTION_SECONDS INTENT_DEADLINE_SECONDS INTENT_START_SECONDS KEYS_ADDRESS
  KEY_CACHE_SECONDS KEY_MODE LEDGER_ADDRESS LEDGER_KE_ADDRESS LEDGER_UG_ADDRESS LOG_LEVEL MEASURE_EVERY_SECONDS MPESA_BASE_URL
  MPESA_QR MPESA_WHOLE_SHILLINGS MTN_MOMO_BASE_URL MTN_MOMO_NEW_BASE_URL MTN_MOMO_PLATFORM MTN_MOMO_TARGET_ENVIRONMENT
  OIDC_ISSUER PAGE_ORIGINS PAYMENTS_KE_URL PAYMENTS_UG_URL PAYMENT_REPORT_HOLD_SECONDS PAY_BILL_HOLD_SECONDS PAY_BILL_SECONDS
  PAY_BILL_UNCONFIRMED_MAX_MINOR PORT QUERY_AFTER_SECONDS QUERY_EVERY_SECONDS QUEUE_PREFIX RAILS RECONCILE_EVERY_SECONDS
  STREAMS_MAX SWEEP_SECONDS TLS_DIR TRUSTED_PROXIES WAITS_MAX WEBHOOK_LOOPBACK`.split(/\s+/),
)

const manifests = ['ke', 'ug', 'shared'].flatMap((place) => render(`complete/${place}`))
const keys = secretKeysOf(manifests)

test.each(
  Object.entries({
    auth: readAuth,
    console: readConsole,
    gateway: readGateway,
    keys: readKeys,
    ledger: readLedger,
    worker: readWorker,
  }),
)('every secret that %s can be given is one of its deployment', (service, read) => {
  const variables = variablesOf(read)
  expect(variables).toContain(service === 'worker' ? 'MPESA_PASSKEY' : 'ADMIN_PORT')
  const own = manifests.filter(
    ({ kind, metadata: { name } }) => kind === 'Deployment' && name === service,
  )
  const given = secretKeysOf(own).map(({ key }) => key)
  expect(given.length > 0).toBe(true)
  expect(variables.filter((name) => !settings.has(name) && !given.includes(name))).toEqual([])
})

test('docs/deploy.md lists every secret, where it is and what is in it', () => {
  const page = readFileSync(join(repositoryDir, 'docs/deploy.md'), 'utf8')
  expect(page).toContain(`<!-- secrets -->\n${secretTable(keys)}\n<!-- /secrets -->`)
})
