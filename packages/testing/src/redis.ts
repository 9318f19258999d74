import { randomBytes } from 'node:crypto'

/** The Redis of the test run. Tests share it, each with its own key prefix. */
export function testRedisUrl(): string {
  const url = process.env['TEST_REDIS_URL']
  if (url === undefined) throw new Error('Tests that use Redis are called *.db.test.ts')
  return url
}

export function uniquePrefix(): string {
  return `test-${randomBytes(6).toString('hex')}`
}
