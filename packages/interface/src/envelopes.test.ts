import { Fault } from '@malipo/kernel/errors'
import { z } from 'zod'
import { failure, failureSchema, success, successSchema } from './envelopes'

test('a success has ok, description and data', () => {
  const envelope = success('Checkout', { id: 'x' })
  expect(envelope).toEqual({ ok: true, description: 'Checkout', data: { id: 'x' } })
  expect(
    successSchema('Checkout', z.strictObject({ id: z.string() })).safeParse(envelope).success,
  ).toBe(true)
})

test('the failure of an invalid request lists the wrong fields in errors', () => {
  const fields = [{ path: 'amount', message: 'is required' }]
  const envelope = failure(new Fault('invalid_request', {}, undefined, { fields }), 'r-1')
  expect(envelope).toEqual({
    ok: false,
    code: 1701,
    description: 'The request is not valid',
    request_id: 'r-1',
    errors: fields,
  })
  expect(failureSchema.safeParse(envelope).success).toBe(true)
})

test('the failure of a refused key has no errors and does not show the facts of its fault', () => {
  expect(failure(new Fault('key_refused', { keyId: 'secret' }), 'r-1')).toEqual({
    ok: false,
    code: 2781,
    description: 'The secret key is missing, malformed, unknown or revoked',
    request_id: 'r-1',
  })
})
