import { readSandboxOptions } from './read-options'

const read = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  readSandboxOptions(args, environment, '/shop')

test('takes the words behind -- as a command, with their flags', () => {
  const { command, stack } = read(['--ports', 'auto', '--', 'npm', 'test', '--', '--fresh'])
  expect(command).toEqual(['npm', 'test', '--', '--fresh'])
  expect(stack).toMatchObject({ ports: 'auto', fresh: false })
  expect(read([]).command).toEqual([])
})

test('finds its folders from where it was called, and keeps its data at home', () => {
  const { stack, readyFile } = read(['--dir', 'data', '--ready-file', 'ready.env'])
  expect([stack.dir, readyFile]).toEqual(['/shop/data', '/shop/ready.env'])
  expect(read([], { INIT_CWD: '/elsewhere' }).stack.dir).toMatch(/\/\.malipo\/sandbox$/)
})

test('uses no database and no Redis of the environment', () => {
  const servers = { DATABASE_URL: 'postgresql://shop/orders', REDIS_URL: 'redis://shop' }
  expect(read([], servers).stack).toMatchObject({ databaseUrl: undefined, redisUrl: undefined })
})

test('refuses an invalid address of a shop, and a flag that it does not know', () => {
  expect(() => read(['--return-to', 'localhost'])).toThrow('must be the address of a shop')
  expect(() => read(['--return-to', 'file:///etc/passwd'])).toThrow('must be the address of a shop')
  expect(() => read(['--observe'])).toThrow('--observe')
  expect(String(read(['--return-to', 'http://localhost:3000/thanks']).returnTo)).toBe(
    'http://localhost:3000/thanks',
  )
})
