import { isDatabaseAway, poolConfig, transactionBounds } from './database'

test('bounds every wait of a service for its database', () => {
  expect(poolConfig('postgresql://ledger', 5)).toEqual({
    connectionString: 'postgresql://ledger',
    max: 5,
    connectionTimeoutMillis: 2_000,
    query_timeout: 3_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    options:
      '-c statement_timeout=2000 -c lock_timeout=1000 -c idle_in_transaction_session_timeout=5000 ' +
      '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
  })
  expect(transactionBounds()).toEqual({ maxWait: 2_000, timeout: 5_000 })
})

/** An error as Prisma 7 throws it with `@prisma/adapter-pg`, with only the parts that we read. */
function prismaError(code: string, cause: { kind: string; originalCode?: string }) {
  return Object.assign(new Error('Raw query failed'), {
    code,
    meta: { driverAdapterError: { name: 'DriverAdapterError', cause } },
  })
}

test.each([
  ['a statement timeout', prismaError('P2010', { kind: 'postgres', originalCode: '57014' })],
  ['a lock timeout', prismaError('P2039', { kind: 'postgres', originalCode: '55P03' })],
  ['a server that stops', prismaError('P2010', { kind: 'postgres', originalCode: '57P01' })],
  [
    'a file of the server that is gone',
    prismaError('P2010', { kind: 'postgres', originalCode: '58P01' }),
  ],
  ['a deadlock', prismaError('P2034', { kind: 'TransactionWriteConflict', originalCode: '40P01' })],
  ['a refused connection', prismaError('P2010', { kind: 'DatabaseNotReachable' })],
  ['a transaction that got no connection', Object.assign(new Error(), { code: 'P2028' })],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
  ['a connection that went silent', new Error('Query read timeout')],
  ['a cut connection', new Error('Connection terminated unexpectedly')],
  [
    'a query on a connection that was just cut',
    new Error('Client has encountered a connection error and is not queryable'),
  ],
  ['a socket of pg that is refused', Object.assign(new Error(), { code: 'ECONNREFUSED' })],
  ['a machine that is unreachable', Object.assign(new Error(), { code: 'EHOSTUNREACH' })],
  ['a SQLSTATE of pg', Object.assign(new Error(), { code: '53300' })],
])('reads %s as an unavailable database', (_, error) => {
  expect(isDatabaseAway(error)).toBe(true)
})

test.each([
  ['a broken CHECK', prismaError('P2039', { kind: 'postgres', originalCode: '23514' })],
  [
    'a broken unique index',
    prismaError('P2002', { kind: 'UniqueConstraintViolation', originalCode: '23505' }),
  ],
  ['an error of ours', new TypeError('x is undefined')],
  ['a text', 'ECONNREFUSED'],
  ['null', null],
  ['undefined', undefined],
])('does not read %s as an unavailable database', (_, error) => {
  expect(isDatabaseAway(error)).toBe(false)
})
