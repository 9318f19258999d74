import { mpesaVariables } from './settings'

test('reads no operator when name and credential are absent, and refuses one without the other', () => {
  const variables = {
    MPESA_BASE_URL: 'http://localhost',
    MPESA_CONSUMER_KEY: 'key',
    MPESA_CONSUMER_SECRET: 'secret',
    MPESA_SHORTCODE: '174379',
    MPESA_PASSKEY: 'passkey',
  }
  const name = { MPESA_INITIATOR: 'amina' }
  const credential = { MPESA_SECURITY_CREDENTIAL: 'cGFzc3dvcmQ=' }
  const { schema } = mpesaVariables
  expect(schema.parse(variables).operator).toBeUndefined()
  expect(schema.safeParse({ ...variables, ...name }).success).toBe(false)
  expect(schema.safeParse({ ...variables, ...credential }).success).toBe(false)
  expect(schema.parse({ ...variables, ...name, ...credential }).operator).toBeDefined()
})
