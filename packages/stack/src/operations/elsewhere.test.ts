import { openConnections } from './ledgers'
import { findAccounts } from './accounts'

const local = '/nowhere'
const ledger = { LEDGER_ADDRESS: 'ledger:50051' }

test.each([
  [
    'a ledger without TLS_DIR',
    { ...ledger, COUNTRY: 'ke' },
    /LEDGER_ADDRESS is set, so set TLS_DIR too/,
  ],
  ['a ledger without COUNTRY', { ...ledger, TLS_DIR: '/x' }, /set COUNTRY too: ke or ug, not ""/],
  ['a ledger of no country', { ...ledger, TLS_DIR: '/x', COUNTRY: 'tz' }, /ke or ug, not "tz"/],
  [
    'the accounts only',
    { ACCOUNTS_ADDRESS: 'auth:50051', TLS_DIR: '/x' },
    /ACCOUNTS_ADDRESS names another installation, so set LEDGER_ADDRESS too/,
  ],
])(
  'refuses to ask the ledgers of the local stack where the environment names %s',
  (_, environment, refusal) => {
    expect(() => openConnections(local, environment)).toThrow(refusal)
  },
)

test('refuses another country than that of the ledger which the environment names', () => {
  const environment = { ...ledger, TLS_DIR: '/x', COUNTRY: 'ke' }
  expect(() => openConnections(local, environment, { country: 'ug' })).toThrow(
    'There is no ledger of ug here',
  )
})

test.each([
  ['the accounts without TLS_DIR', { ACCOUNTS_ADDRESS: 'auth:50051' }, /so set TLS_DIR too/],
  ['a ledger only', { ...ledger, TLS_DIR: '/x', COUNTRY: 'ke' }, /so set ACCOUNTS_ADDRESS too/],
])(
  'refuses to ask the accounts of the local stack where the environment names %s',
  (_, environment, refusal) => {
    expect(() => findAccounts(local, environment)).toThrow(refusal)
  },
)

test('uses the stack of the folder when the environment names no other', () => {
  expect(() => openConnections(local, { TLS_DIR: '/x', LEDGER_ADDRESS: '' })).toThrow(
    /No stack runs in/,
  )
  expect(() => findAccounts(local, {})).toThrow(/No stack runs in/)
})
